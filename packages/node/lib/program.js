// Finds the server's program: VAQUITA_BINARY, else the one in the package for this platform.
import { accessSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const require = createRequire(import.meta.url);
const PLATFORMS = ['linux-x64', 'linux-arm64'];

function packaged(platform) {
  try {
    return require.resolve(`@vaquita/${platform}/vaquita`);
  } catch {
    return undefined;
  }
}

/** Returns the program's file. The error names the paths that were tried and the supported platforms. */
export function findProgram({ environment = process.env, platform = `${process.platform}-${process.arch}` } = {}) {
  const override = environment.VAQUITA_BINARY;
  if (override) {
    try {
      accessSync(override, constants.X_OK);
      if (statSync(override).isFile()) return resolve(override);
    } catch {
      // The error below says it.
    }
    throw new Error(`VAQUITA_BINARY is ${override}, which is not an executable file`);
  }
  const program = packaged(platform);
  if (program) return program;
  const there = PLATFORMS.filter(packaged);
  let message = `No program of Vaquita for ${platform}. Looked for: the environment variable VAQUITA_BINARY, which is not set; the package @vaquita/${platform}.`;
  if (there.length > 0) {
    message += ` Installed is the one for ${there.join(', ')}: were node_modules copied from another system? Install them on this one, ${platform}.`;
  } else if (PLATFORMS.includes(platform)) {
    message += ' It is an optional dependency: was it installed with --omit=optional?';
  } else {
    message += ` There are packages for ${PLATFORMS.join(' and ')}; on other systems run the container image and see docs/testing.md, Testcontainers.`;
  }
  throw new Error(message);
}
