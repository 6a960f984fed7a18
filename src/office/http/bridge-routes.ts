/** What bridges ask: to join, how far the office has their journals, to take events, to hear that they live. */
import { Router, type Request, type RequestHandler, type Response } from 'express';
import {
  enrolRequestSchema,
  eventsType,
  heartbeatSchema,
  journalTerminalSchema,
  maxBatchBytes,
  officeProtocol,
  oldestBridgeProtocol,
  placeRequestSchema,
  protocolHeader,
  type OfficeRefusal,
} from '../../contract/office.ts';
import type { Bridges, KnownBridge } from '../bridges.ts';
import type { Ingest, Sender } from '../ingest/ingest.ts';
import { readBatch } from '../ingest/read-batch.ts';
import type { OfficeMetrics } from '../operations/metrics.ts';
import { bearerOf, jsonOf, named, refusalOf, refuse, textOf } from './request.ts';

export interface BridgeRoutesParts {
  bridges: Bridges;
  ingest: Ingest;
  version: string;
  /** Something of this shop has changed. */
  onNews: (shopId: string) => void;
  metrics: Pick<OfficeMetrics, 'batchTaken' | 'batchRefused'>;
}

/** A batch of one long event may be longer than `maxBatchBytes`; compressed none is. */
const maxUnpackedBytes = 4 * maxBatchBytes;

export function bridgeRoutes({ bridges, ingest, version, onNews, metrics }: BridgeRoutesParts): Router {
  const router = Router({ caseSensitive: true, strict: true });

  const guard: RequestHandler = async (request, response, next) => {
    const key = bearerOf(request);
    const bridge = key === null ? null : await bridges.bridgeOf(key);
    if (bridge === null) {
      return refuse(response, {
        error: 'key_unknown',
        message: 'This key is unknown here, or was revoked. Enrol the bridge again with a new code.',
      });
    }
    response.locals['bridge'] = bridge;
    next();
  };

  router.post('/journals/:simulated/:terminal/events', (_request, response, next) => {
    response.once('finish', () => {
      const refused = refusalOf(response);
      if (refused !== null) metrics.batchRefused(refused as OfficeRefusal['error']);
    });
    next();
  });

  router.use((request, response, next) => {
    response.set(protocolHeader, String(officeProtocol));
    const said = request.get(protocolHeader);
    const protocol = said === undefined ? oldestProtocol : Number(said);
    if (protocol >= oldestBridgeProtocol && protocol <= officeProtocol) return next();
    refuse(response, { error: 'protocol_unknown', message: otherProtocol(protocol) });
  });

  router.post('/enrol', named('/bridge/v1/enrol'), async (request, response) => {
    const asked = await jsonOf(request, response, enrolRequestSchema);
    if (asked === null) return;
    const enrolled = await bridges.enrol(asked);
    if (enrolled === null) {
      return refuse(response, {
        error: 'code_unknown',
        message: 'This code is unknown, was used, or is older than a day. Have a new one made at the office.',
      });
    }
    response.json({ ...enrolled, officeVersion: version });
    onNews(enrolled.shop.id);
  });

  router.post('/heartbeat', named('/bridge/v1/heartbeat'), guard, async (request, response) => {
    const heartbeat = await jsonOf(request, response, heartbeatSchema);
    if (heartbeat === null) return;
    const bridge = bridgeOf(response);
    const changed = await bridges.heard(bridge, heartbeat);
    response.json({});
    // Thousands say every minute that all is as it was.
    if (changed) onNews(bridge.shopId);
  });

  const journal = Router({ caseSensitive: true, strict: true, mergeParams: true });
  router.use('/journals/:simulated/:terminal', guard, journal);

  journal.get('/heads', named('/bridge/v1/journals/heads'), async (request, response) => {
    const sender = senderOf(request, response);
    if (sender !== null) response.json({ heads: await ingest.heads(sender) });
  });

  journal.post('/place', named('/bridge/v1/journals/place'), async (request, response) => {
    const sender = senderOf(request, response);
    const asked = sender && (await jsonOf(request, response, placeRequestSchema));
    if (sender !== null && asked !== null) response.json({ place: await ingest.place(sender, asked.points) });
  });

  journal.post('/events', named('/bridge/v1/journals/events'), async (request, response) => {
    const sender = senderOf(request, response);
    if (sender === null) return;
    if (!request.headers['content-type']?.startsWith(eventsType))
      return refuse(response, { error: 'invalid_request', message: `A batch has the type ${eventsType}.` });
    const text = await textOf(request, response, { maxBytes: maxBatchBytes, maxUnpackedBytes });
    if (text === null) return;
    const batch = readBatch(text);
    if (batch.kind === 'not_readable')
      return refuse(response, { error: 'invalid_request', message: batch.message });
    const taken = await ingest.take(sender, batch);
    switch (taken.kind) {
      case 'kept':
        metrics.batchTaken(taken.newEvents);
        response.json(taken.place);
        if (taken.newEvents > 0) onNews(sender.shopId);
        return;
      case 'place_unknown':
        return refuse(response, {
          error: 'place_unknown',
          message: 'The batch does not follow on what the office has of this journal.',
        });
      case 'chain_broken':
        onNews(sender.shopId);
        return refuse(response, { error: 'chain_broken', message: taken.message, seq: taken.seq });
    }
  });

  return router;
}

/** Of the bridges that say none. */
const oldestProtocol = 1;

function otherProtocol(protocol: number): string {
  if (protocol > officeProtocol)
    return (
      `This bridge is newer than the office: it speaks version ${protocol} of their protocol, and the office ` +
      `${officeProtocol}. Update the office. The bridge keeps its journal meanwhile, and sends it then.`
    );
  return (
    `This bridge is too old for the office, which takes version ${oldestBridgeProtocol} of their protocol at least. ` +
    'Update the bridge. It keeps its journal meanwhile, and sends it then.'
  );
}

function bridgeOf(response: Response): KnownBridge {
  return response.locals['bridge'] as KnownBridge;
}

/** Null: refused. */
function senderOf(request: Request, response: Response): Sender | null {
  const { simulated, terminal } = request.params;
  const name = journalTerminalSchema.safeParse(terminal);
  if (!name.success || (simulated !== 'simulated' && simulated !== 'live')) {
    refuse(response, {
      error: 'not_found',
      message: 'A path names a journal as live/TERMINAL or simulated/TERMINAL.',
    });
    return null;
  }
  return { ...bridgeOf(response), terminal: name.data, simulated: simulated === 'simulated' };
}
