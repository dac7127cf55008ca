/** How the servers of the local cloud begin and end to listen: on this machine only, on free ports unless told otherwise. */
import { once } from 'node:events';
import type { Server } from 'node:http';

export const HOST = '127.0.0.1';

/** Makes a server listen; answers its port. 0 takes a free one. Throws when the port is taken. */
export async function listen(server: Server, port: number, host: string = HOST): Promise<number> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!isTaken) throw error;
    throw new Error(`port ${port} is in use: stop what listens there, or choose another`, { cause: error });
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** Ends a server at once, whoever is still connected, and frees its port. */
export async function closeNow(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
