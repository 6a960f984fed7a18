/** Questions over a channel to another process: each has a number and gets one answer, or fails when the channel ends. */

export interface Questions {
  /** Sends `question`. Gives what `answered` brings; rejects with its words, or with those of `end`. */
  ask(question: unknown): Promise<unknown>;
  /** The answer to question `id`. One that nobody waits for (asked twice, too late) is left out. */
  answered(id: number, answer: Answer): void;
  /** No answer can come any more: what waits is rejected, and so is whatever is asked from now on. */
  end(reason: string): void;
}

export type Answer = { ok: true; value: unknown } | { ok: false; message: string };

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** `send` passes a question on; what it throws rejects that question. */
export function createQuestions(send: (id: number, question: unknown) => void): Questions {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let ended: string | null = null;
  return {
    ask(question) {
      if (ended !== null) return Promise.reject(new Error(ended));
      const id = (lastId += 1);
      return new Promise((resolve, reject) => {
        send(id, question);
        waiting.set(id, { resolve, reject });
      });
    },
    answered(id, answer) {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (answer.ok) asked?.resolve(answer.value);
      else asked?.reject(new Error(answer.message));
    },
    end(reason) {
      ended ??= reason;
      for (const { reject } of waiting.values()) reject(new Error(reason));
      waiting.clear();
    },
  };
}
