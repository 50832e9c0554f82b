import { run } from './program.js';
import { readSettings } from './settings.js';

// A reader that goes away (`| head`) is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

process.exitCode = await run(process.argv.slice(2), readSettings(), process);
