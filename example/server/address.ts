import type { Request } from 'express';

/**
 * The address of an application, without a slash at its end. Browsers and servers often know the same application under
 * different names: a container, for one, cannot reach the port that browsers see.
 */
export interface Address {
  forBrowsers(request: Request): string;
  forServers(): string;
}
