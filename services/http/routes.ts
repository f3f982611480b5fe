import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import {
  type Address,
  type AddressRights,
  addressRights,
  type Proof,
  type ProofOf,
} from './address-rights.ts';
import type { RequestBodies } from './request-bodies.ts';

/** What is found out about a caller, for the handler; or how somebody is answered who may not. */
export type Verdict<Found> = { found: Found } | { refuse: (response: Response) => void };

/** Judges what the caller of a route shows, and all that its row needs. */
export type Judge<Found> = (
  request: Request,
  rights: AddressRights,
) => Verdict<Found> | Promise<Verdict<Found>>;

type Judges = { readonly [Shown in Proof]?: Judge<unknown> };

/** The proofs that need no judge: there is none, or the handler tells on a page why it is none. */
const withoutJudge = ['nothing', 'WOPI host'] as const satisfies Proof[];
type WithoutJudge = (typeof withoutJudge)[number];

/** The routes whose proof there is a judge for. */
type Judged<Known> = {
  [Route in Address]: ProofOf<Route> extends WithoutJudge | keyof Known ? Route : never;
}[Address];

type FoundBy<Known, Route extends Address> =
  ProofOf<Route> extends keyof Known
    ? Known[ProofOf<Route>] extends Judge<infer Found>
      ? Found
      : undefined
    : undefined;

/** Answers a caller whom the guard has let through; `found`: what it found out about them. */
type Handler<Found> = (request: Request, response: Response, found: Found, next: NextFunction) => unknown;

interface RoutesNeeds<Known> {
  /** One for each proof that these routes ask for. */
  judges?: Known;
  /** For routes with a body that is read before its caller is judged, since the token may be in it. */
  bodies?: RequestBodies;
  /** Whether only one spelling of the paths is answered. */
  strict?: boolean;
}

/**
 * The routes of a router. A route is registered by its row in the table of rights, and by nothing else: one without a row, or
 * with a proof that nobody judges, does not compile. What the row says is asked before the handler.
 */
export class Routes<Known extends Judges = Record<never, never>> {
  readonly router: Router;
  readonly #judges: Judges;
  readonly #bodies: RequestBodies | undefined;

  constructor({ judges, bodies, strict = false }: RoutesNeeds<Known> = {}) {
    this.router = Router({ caseSensitive: strict, strict });
    this.#judges = judges ?? {};
    this.#bodies = bodies;
  }

  /** Adds a route. `pattern`: the paths that it is for, where its row only describes them. */
  on<Route extends Judged<Known>>(
    address: Route,
    handler: Handler<FoundBy<Known, Route>>,
    pattern?: RegExp,
  ): this {
    const rights: AddressRights = addressRights[address];
    const [method, path] = address.split(' ') as [string, string];
    const handlers = [
      ...this.#reader(rights),
      named(address, this.#guard(rights, handler as Handler<unknown>)),
    ];
    if (method === 'ALL') this.router.use(path, ...handlers);
    else this.router[method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'](pattern ?? path, ...handlers);
    return this;
  }

  /** @throws Error where nobody was given who judges it: no server starts with that */
  #guard(rights: AddressRights, handler: Handler<unknown>): RequestHandler {
    const judge = this.#judges[rights.shows];
    if (!judge && !withoutJudge.some((proof) => proof === rights.shows))
      throw new Error(`Who judges the ${rights.shows} of these routes?`);
    return async (request, response, next) => {
      const verdict = judge ? await judge(request, rights) : { found: undefined };
      if ('refuse' in verdict) return verdict.refuse(response);
      await handler(request, response, verdict.found, next);
    };
  }

  /** @throws Error where nobody was given who reads bodies: no server starts with that */
  #reader({ body }: AddressRights): RequestHandler[] {
    if (body === undefined || body.as === 'stream') return [];
    if (!this.#bodies) throw new Error('Who reads the bodies of these routes?');
    if (body.as === 'form') return [this.#bodies.form(body.most)];
    return [body.as === 'text' ? this.#bodies.text(body.most) : this.#bodies.json(body.most)];
  }
}

/** Gives a guard the name of its row, by which stack traces and tests know it. */
const named = (address: Address, guard: RequestHandler): RequestHandler =>
  Object.defineProperty(guard, 'name', { value: address });

/** Refuses with a reason, as JSON. */
export const refused = (status: number, error: string): Verdict<never> => ({
  refuse: (response) => void response.status(status).json({ error }),
});

/** Refuses with a reason, as text. */
export const refusedInText = (status: number, reason: string): Verdict<never> => ({
  refuse: (response) => void response.status(status).type('text/plain').send(reason),
});
