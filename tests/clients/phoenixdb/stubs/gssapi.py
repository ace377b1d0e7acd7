"""Stands in for a package that needs Kerberos's headers to install. phoenixdb imports it, and uses it for Kerberos only."""
