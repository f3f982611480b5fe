import { websocketMaxPayloadSize } from '../../../client/protocol/limits.ts';
import { flag, integer } from '../setting.ts';

/** Every editor sends parts of a save that are so large. */
const leastForParts = 2 * websocketMaxPayloadSize;

/**
 * Most that one batch of changes may take as others are sent it, bytes: it fits into the queue of a receiver who keeps up, beside
 * what else waits there.
 */
export const mostSentBytes = (outboundQueueBytes: number): number => Math.floor(outboundQueueBytes * 0.75);

/** How much one client or one document may take. */
export const limitsSettings = {
  wsMaxPayloadBytes: integer(
    'WS_MAX_PAYLOAD_BYTES',
    16_777_216,
    { min: 65_536, max: 1_073_741_824 },
    'Largest message accepted from an editor, bytes.',
  ),
  outboundQueueBytes: integer(
    'OUTBOUND_QUEUE_BYTES',
    16_777_216,
    { min: leastForParts, max: 1_073_741_824 },
    'What may wait for a slow editor before it is disconnected, bytes; at least `WS_MAX_PAYLOAD_BYTES`. Changes that are larger than three quarters of it, as others are sent them, are refused.',
  ),
  maxChangesBytes: integer(
    'MAX_CHANGES_BYTES',
    157_286_400,
    { min: 1_000, max: 4 * 1024 ** 3 },
    'Most that the changes of one document may take until it is closed, bytes.',
  ),
  trustPartialRights: flag(
    'TRUST_PARTIAL_RIGHTS',
    false,
    'Whether people with a part of the rights (`review`, `comment`, `fillForms`) may write with editors of others, where only their browser keeps them to that part. Else they may look there.',
  ),
  maxDocumentConnections: integer(
    'MAX_DOCUMENT_CONNECTIONS',
    5_000,
    { min: 1, max: 1_000_000 },
    'Most connections to one document. Whoever has a session comes back to it in any case.',
  ),
  checkpointEvery: integer(
    'CHECKPOINT_EVERY',
    5_000,
    { min: 0, max: 1_000_000 },
    'After so many changes, or fewer that are as much work, the model of a document that is being edited is kept, so that neither files nor newcomers need the changes before it; 0: never.',
  ),
  historyMemoryBytes: integer(
    'HISTORY_MEMORY_BYTES',
    134_217_728,
    { min: 0, max: 64 * 1024 ** 3 },
    'Memory for the changes of open documents, ready to be sent to whoever comes in, bytes.',
  ),
  handshakeTimeoutMs: integer(
    'HANDSHAKE_TIMEOUT_MS',
    10_000,
    { min: 100, max: 3_600_000 },
    'How long a connection may stay that has said nothing at all, milliseconds.',
  ),
  authTimeoutMs: integer(
    'AUTH_TIMEOUT_MS',
    45_000,
    { min: 100, max: 3_600_000 },
    'How long a connection may stay without having authenticated, milliseconds.',
  ),
  maxUnauthenticatedSockets: integer(
    'MAX_UNAUTHENTICATED_SOCKETS',
    10_000,
    { min: 1, max: 1_000_000 },
    'Most connections that have not authenticated yet. Newcomers come in all the same: the oldest goes that has said nothing, of the address (of IPv6: the /64) that has the most. In no case more than a quarter of the connections for which there are descriptors (`ulimit -n`).',
  ),
  connectionWorkMsPerSecond: integer(
    'CONNECTION_WORK_MS_PER_S',
    20,
    { min: 1, max: 1_000 },
    'Work that one connection may ask for in each second, milliseconds, as the server estimates it; 25 times as much at once. Beyond it its messages wait, and after a minute it is disconnected.',
  ),
  connectionRequests: integer(
    'CONNECTION_REQUESTS',
    8,
    { min: 1, max: 1_000 },
    'Requests of one connection for files of its document that may be on their way at once. More of them wait, and what comes after them.',
  ),
  clientLogLinesPerMinute: integer(
    'CLIENT_LOG_LINES_PER_MINUTE',
    30,
    { min: 0, max: 100_000 },
    'Lines that one connection may have written to the log in each minute.',
  ),
  sourceUnpackedBytes: integer(
    'SOURCE_UNPACKED_BYTES',
    536_870_912,
    { min: 1_048_576, max: 64 * 1024 ** 3 },
    'Most that a file to be opened or converted may unpack to, with the packages in it, bytes; text formats may be so large.',
  ),
  sourcePixels: integer(
    'SOURCE_PIXELS',
    200_000_000,
    { min: 1_000, max: 1_000_000_000_000 },
    'Largest picture, width times height, that a file to be opened or converted may be or hold.',
  ),
  sourceCells: integer(
    'SOURCE_CELLS',
    20_000_000,
    { min: 1_000, max: 1_000_000_000_000 },
    'Most cells with something in them that a spreadsheet to be opened or converted may have.',
  ),
  sourcePrintedCells: integer(
    'SOURCE_PRINTED_CELLS',
    1_000_000,
    { min: 100, max: 1_000_000_000_000 },
    'Most cells with something in them that a spreadsheet may have of which pages are made: a PDF, or pictures of all pages.',
  ),
  sourceElements: integer(
    'SOURCE_ELEMENTS',
    3_000_000,
    { min: 1_000, max: 1_000_000_000_000 },
    'Most elements of XML that a file to be opened or converted may have, those of its sheets not counted.',
  ),
  sourceTableCells: integer(
    'SOURCE_TABLE_CELLS',
    100_000,
    { min: 1_000, max: 1_000_000_000_000 },
    'Most cells that the tables of a text or presentation to be opened or converted may have together.',
  ),
};
