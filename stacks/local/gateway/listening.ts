/** Starts and stops the HTTP servers of the local cloud, which listen on this machine only. */
import { once } from 'node:events';
import type { Server } from 'node:http';

export const HOST = '127.0.0.1';

/** Makes a server listen on a port (0: any free one) and returns the port. Throws when it is taken. */
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

/** Closes a server and all its connections at once, and frees the port. */
export async function closeNow(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
