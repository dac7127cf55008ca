/** Installs what the suite of the emulator needs of Python, before that suite does: `.ci/run` does so beside the tests. */
import { installEmulator } from './ministack.ts';
import { installGenerator } from './python.ts';

installEmulator();
installGenerator();
