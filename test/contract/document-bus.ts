import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { DocumentBus, DocumentListener } from '../../platform/ports/coordination.ts';
import { eventually } from '../support/eventually.ts';

/** A node's end of the bus. */
export interface BusEnd {
  nodeId: string;
  bus: DocumentBus;
}

class Notes implements DocumentListener {
  readonly heard: [nodeId: string, text: string][] = [];
  interruptions = 0;

  received(nodeId: string, text: string): void {
    this.heard.push([nodeId, text]);
  }

  interrupted(): void {
    this.interruptions += 1;
  }

  texts(): string[] {
    return this.heard.map(([, text]) => text);
  }
}

/** What every bus does. `ends`: three nodes' own, connected with each other. */
export function describeDocumentBus(
  name: string,
  ends: () => Promise<readonly [BusEnd, BusEnd, BusEnd]>,
): void {
  describe(`document bus: ${name}`, () => {
    const key = () => `d-${randomUUID()}`;

    test('[RD1] what a node says of a document is heard by all others that listen to it, in its order', async () => {
      const [one, two, three] = await ends();
      const [document, other] = [key(), key()];
      const [atOne, atTwo, atThree, aside] = [new Notes(), new Notes(), new Notes(), new Notes()];
      await one.bus.listen(document, atOne);
      await two.bus.listen(document, atTwo);
      await three.bus.listen(document, atThree);
      await two.bus.listen(other, aside);
      const said = Array.from({ length: 200 }, (_, index) => `${index}: "é\n ✓ 0:${'x'.repeat(index)}`);
      for (const text of said) one.bus.publish(document, text);
      three.bus.publish(document, '');
      await eventually(() => expect(atThree.texts()).toEqual(said));
      await eventually(() => expect(atTwo.heard.filter(([id]) => id === one.nodeId)).toHaveLength(200));
      expect(atTwo.heard.filter(([id]) => id === one.nodeId).map(([, text]) => text)).toEqual(said);
      await eventually(() => expect(atOne.heard).toEqual([[three.nodeId, '']]));
      expect(aside.heard).toEqual([]);
    });

    test('[RD2] nothing is heard after the end of listening, and listening again hears what is said from then on', async () => {
      const [one, two, three] = await ends();
      const document = key();
      const [first, second, control] = [new Notes(), new Notes(), new Notes()];
      const end = await two.bus.listen(document, first);
      await three.bus.listen(document, control);
      end();
      one.bus.publish(document, 'unheard');
      await eventually(() => expect(control.texts()).toEqual(['unheard']));
      await two.bus.listen(document, second);
      end();
      one.bus.publish(document, 'heard');
      await eventually(() => expect(second.texts()).toEqual(['heard']));
      expect(first.heard).toEqual([]);
    });
  });
}
