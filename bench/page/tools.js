/**
 * Added to the pages that are measured, as `bench`. Every promise is for the time, by the page's clock in milliseconds,
 * at which the first frame that shows something has been drawn; each frame is looked at once.
 */
window.bench = (() => {
  const limitMs = 20_000;
  let lengths = [];
  let counting = 0;

  function until(fits) {
    return new Promise((resolve, reject) => {
      const beginMs = performance.now();
      const look = () => {
        if (fits()) {
          // The first task after the frame.
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener('message', () => resolve(performance.now()));
          port1.start();
          port2.postMessage(null);
        } else if (performance.now() - beginMs > limitMs) reject(new Error('it never came on the screen'));
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  }

  /** The newest line on the screen is this one or a newer one. */
  function line(id) {
    return until(() => {
      const newest = [...document.querySelectorAll('.log-list [data-line]')].at(-1);
      if (newest === undefined || Number(newest.dataset.line) < id) return false;
      const list = newest.closest('.log-list').getBoundingClientRect();
      const { top, bottom } = newest.getBoundingClientRect();
      return newest.querySelector('.log-message') !== null && top >= list.top && bottom <= list.bottom + 1;
    });
  }

  /** From a click on the link in the navigation. */
  async function openLog(id) {
    const beginMs = performance.now();
    document.querySelector('nav a[href="#/log"]').click();
    return (await line(id)) - beginMs;
  }

  /** Measures the length of each frame from now on, in milliseconds. */
  function beginFrames() {
    lengths = [];
    counting += 1;
    const mine = counting;
    let before = null;
    const count = (now) => {
      if (mine !== counting) return;
      if (before !== null) lengths.push(now - before);
      before = now;
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  }

  function endFrames() {
    counting += 1;
    return lengths;
  }

  /** As one does who drags the scroll bar. */
  function jump(selector, share) {
    const list = document.querySelector(selector);
    list.scrollTop = (list.scrollHeight - list.clientHeight) * share;
  }

  /** Writes each event's reference into one element. */
  function listen(url) {
    const element = document.body.appendChild(document.createElement('p'));
    element.id = 'bare';
    const stream = new EventSource(url);
    stream.addEventListener('message', ({ data }) => {
      element.textContent = JSON.parse(data).reference;
    });
    return new Promise((resolve) => {
      stream.addEventListener('open', () => resolve(), { once: true });
    });
  }

  const isApproved = (element) => element.querySelector('[data-status="approved"]') !== null;
  const answers = () =>
    [...document.querySelectorAll('.log-list [data-line]')]
      .filter((row) => row.querySelector('.log-message')?.textContent === '/CreatePayment answered')
      .map((row) => Number(row.dataset.line));

  /** Where a payment is shown, by place. */
  const shown = {
    bare: (reference) => until(() => document.querySelector('#bare').textContent === reference),
    /** The large card, which holds a result before the one below it does. */
    till: (reference) =>
      until(() => {
        const result = document.querySelector('.till-result[data-outcome="approved"]');
        return result?.querySelector('.till-result-line .calm')?.textContent === reference;
      }),
    payments: (reference) =>
      until(() =>
        [...document.querySelectorAll('[data-payments] .payment-row')].some(
          (row) => row.querySelector('.cell-reference a')?.textContent === reference && isApproved(row),
        ),
      ),
    /** The line does not show the reference; it is the first of its kind that was not there before. */
    log() {
      const before = Math.max(0, ...answers());
      return until(() => answers().some((id) => id > before));
    },
  };

  return { line, openLog, beginFrames, endFrames, jump, listen, shown };
})();
