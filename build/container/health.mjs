// The health check of both images: node health.mjs [PORT]. Ends with 0 where what listens in this container says that it is well.
const { TILLBRIDGE_HOST: given = '', TILLBRIDGE_PORT = '' } = process.env;
const [port = TILLBRIDGE_PORT || '8080'] = process.argv.slice(2);
const host = ['', '0.0.0.0', '::', '[::]'].includes(given) ? '127.0.0.1' : given;
const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;

const isWell = await fetch(`http://${name}:${port}/health`).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(isWell ? 0 : 1);
