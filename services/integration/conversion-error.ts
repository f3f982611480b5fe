/** Numbers of the conversion API (integration API, 9.4) by the service errors they stand for. */
const numbers: ReadonlyMap<number, number> = new Map([
  [-1, -1],
  [-20, -6],
  [-40, -6],
  [-81, -4],
  [-83, -2],
  [-85, -5],
  [-88, -7],
  [-90, -5],
  [-91, -5],
  [-93, -10],
  [-95, -9],
  [-96, -10],
  [-99, -2],
  [-101, -10],
]);

/** Everything else that can go wrong with a conversion. */
const conversionFailed = -3;

/** The number that the conversion API gives for a service error. */
export function conversionErrorOf(serviceError: number): number {
  return numbers.get(serviceError) ?? conversionFailed;
}
