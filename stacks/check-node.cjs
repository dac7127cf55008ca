/**
 * Says so, before anything is loaded, when this Node cannot run the project, which needs types that are stripped without a
 * flag and `node:sqlite`. Old Nodes must be able to parse this file.
 */
const { version } = process;
const [major, minor] = version.slice(1).split('.').map(Number);
const since = { 22: 18, 23: 6 };

if (major < 22 || minor < (since[major] || 0)) {
  console.error(
    `Node ${version} cannot run this project, which needs Node 22.18 or later, and is tested with Node 24.\n` +
      'On Linux (x64, arm64), npm installs Node 24 with the optional dependencies: run `npm ci` again with them.\n' +
      'Elsewhere, install Node 24 yourself.',
  );
  process.exit(1);
}
