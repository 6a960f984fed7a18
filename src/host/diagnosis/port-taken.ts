/** What is said of a port that is taken, where it is another Tillbridge that has it. */
import type { Clock } from '../../base/clock.ts';
import { thisComputer, type Computer } from './computer.ts';
import { inTime } from './in-time.ts';

/** A Tillbridge that has the port, and whose it is (null: that is not told in time); null: none has. Never rejects. */
export async function tillbridgeOn(
  port: number,
  computer: Computer,
  clock: Clock,
): Promise<{ user: string | null } | null> {
  if ((await inTime(clock, computer.isTillbridge(port))) !== true) return null;
  return { user: await inTime(clock, computer.userOfTcpPort(port)) };
}

/** Null where it is some other program, or none that tells. Asks this computer only, and takes some seconds at most. */
export async function tillbridgeHasPort(
  port: number,
  clock: Clock,
  computer: Computer = thisComputer(),
): Promise<string | null> {
  const found = await tillbridgeOn(port, computer, clock);
  if (found === null) return null;
  return found.user === null || found.user === computer.userName
    ? `Port ${port} is used by another Tillbridge: the desktop app, a service, or a second start. Stop that one, or choose another port.`
    : `Port ${port} is used by Tillbridge of the user ${found.user}. Quit it there, or choose another port.`;
}
