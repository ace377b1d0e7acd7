module vaquita.org/modules

go 1.19
