import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EditNotice, HostFrame } from './host-frame.ts';

/** A window with a parent that keeps what it is sent. */
function framed() {
  const sent: { message: Record<string, unknown>; origin: string }[] = [];
  const parent = {
    postMessage: (message: unknown, origin: string) =>
      sent.push({ message: JSON.parse(String(message)) as Record<string, unknown>, origin }),
  };
  let listener: (message: MessageEvent) => void = () => undefined;
  const window = {
    parent,
    addEventListener: (_type: 'message', given: (message: MessageEvent) => void) => {
      listener = given;
    },
  };
  const receive = (message: unknown, origin = 'https://host.test', source: unknown = parent) => {
    const data = typeof message === 'string' ? message : JSON.stringify(message);
    listener({ data, origin, source } as unknown as MessageEvent);
  };
  return { window, sent, receive };
}

const hearing = (origin: string | undefined) => {
  const { window, sent, receive } = framed();
  const frame = new HostFrame(window, origin);
  const heard: unknown[] = [];
  frame.on('Grab_Focus', (values) => heard.push(values));
  return { frame, sent, receive, heard };
};

describe('messages with the page of the host', () => {
  it('[WO38] go to the origin that the host named, with time and values', () => {
    const { frame, sent } = hearing('https://host.test/some/page');
    frame.send('UI_Close');
    frame.send('File_Rename', { NewName: 'a' });
    expect(sent.map(({ origin }) => origin)).toEqual(['https://host.test', 'https://host.test']);
    expect(sent[0]!.message).toEqual({ MessageId: 'UI_Close', SendTime: expect.any(Number), Values: {} });
    expect(sent[1]!.message).toMatchObject({ Values: { NewName: 'a' } });
  });

  it('[WO38] are heard from that origin and the parent window only, once the host is ready', () => {
    const { receive, heard } = hearing('https://host.test');
    const grab = { MessageId: 'Grab_Focus', Values: { a: 1 } };
    receive(grab);
    receive({ MessageId: 'Host_PostmessageReady' }, 'https://other.test');
    receive(grab);
    expect(heard).toEqual([]);
    receive({ MessageId: 'Host_PostmessageReady' });
    receive(grab);
    receive(grab, 'https://other.test');
    receive(grab, 'https://host.test', {});
    receive('no json');
    receive('null');
    receive('5');
    receive({ MessageId: 'Unknown' });
    expect(heard).toEqual([{ a: 1 }]);
  });

  it.for([undefined, '', 'not an address', 'file:///x'])(
    '[WO38] without an origin (%s) nothing is heard',
    (origin) => {
      const { frame, sent, receive, heard } = hearing(origin);
      receive({ MessageId: 'Host_PostmessageReady' });
      receive({ MessageId: 'Grab_Focus' });
      expect(heard).toEqual([]);
      frame.send('App_LoadingStatus');
      expect(sent[0]!.origin).toBe('*');
    },
  );
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('[WO39] the first edit is told at once, later ones together and not without need', () => {
  let told = 0;
  const notice = new EditNotice(() => {
    told += 1;
  }, 30_000);
  notice.edited();
  expect(told).toBe(1);
  notice.edited();
  notice.edited();
  expect(told).toBe(1);
  vi.advanceTimersByTime(30_000);
  expect(told).toBe(2);
  vi.advanceTimersByTime(300_000);
  expect(told).toBe(2);
  notice.edited();
  expect(told).toBe(3);
});
