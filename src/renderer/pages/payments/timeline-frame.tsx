/** A frame in words and in bytes: what one points at on one side is marked on the other. */
import { Fragment, type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FrameField } from '../../../contract/frame.ts';
import { acknowledgedText, controlText, fieldName, fieldValue, frameName } from '../../messages/frame.ts';
import { useFormats } from '../../messages/formats.ts';
import type { Acknowledgement, FrameEntry } from './timeline-acknowledgements.ts';
import { hexLines, type HexPiece } from './timeline-hex.ts';
import { LogLink } from './timeline-log-link.tsx';
import './timeline-frame.css';

export function FrameView({
  entry,
  acknowledgement,
}: {
  entry: FrameEntry;
  acknowledgement: Acknowledgement | null;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [marked, mark] = useState<number | null>(null);
  const { direction, name, protocol, control, fields, lengthBytes, logLineId } = entry;
  return (
    <div className="wire-frame" onMouseLeave={() => mark(null)}>
      <div className="frame-words">
        <p className="entry-title">
          <span className="calm">
            {t(direction === 'to_terminal' ? 'timeline.toTerminal' : 'timeline.fromTerminal')}:
          </span>{' '}
          {frameName(name, formats)} <span className="mono calm">{controlText(control, protocol)}</span>
        </p>
        <FrameFields fields={fields} marked={marked} onMark={mark} />
        <p className="calm frame-foot">
          {t('timeline.bytes', { count: lengthBytes })}
          {' · '}
          <LogLink id={logLineId} />
        </p>
        {acknowledgement !== null && <AcknowledgementText acknowledgement={acknowledgement} />}
      </div>
      <FrameBytes entry={entry} marked={marked} onMark={mark} />
    </div>
  );
}

function AcknowledgementText({ acknowledgement: { frame, afterMs } }: { acknowledgement: Acknowledgement }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <p className="calm frame-foot" data-acknowledged>
      {acknowledgedText(afterMs, t, formats)}{' '}
      <span className="mono">{frame.hex ?? controlText(frame.control, frame.protocol)}</span>
      {' · '}
      <LogLink id={frame.logLineId} />
    </p>
  );
}

/** One stop for Tab; the arrows go from field to field. */
function FrameFields({ fields, marked, onMark }: { fields: readonly FrameField[] } & Marking) {
  const formats = useFormats();
  if (fields.length === 0) return null;
  const placed = fields.flatMap(([, , place], index) => (place === undefined ? [] : [index]));
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = stepOf[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = placed[placed.indexOf(marked ?? -1) + step];
    event.currentTarget.querySelector<HTMLElement>(`[data-field="${next}"] dd`)?.focus();
  };
  const id = useId();
  return (
    <dl className="frame-fields" onKeyDown={onKeyDown}>
      {fields.map((field, index) => (
        <div
          // A list such as the lines of a receipt repeats its name.
          key={`${index}-${field[0]}`}
          data-field={index}
          data-marked={marked === index || undefined}
          onMouseEnter={field[2] === undefined ? undefined : () => onMark(index)}
        >
          <dt id={`${id}-name-${index}`}>{fieldName(field[0], formats)}</dt>
          <dd
            id={`${id}-value-${index}`}
            {...(field[2] === undefined
              ? {}
              : {
                  'aria-labelledby': `${id}-name-${index} ${id}-value-${index}`,
                  tabIndex: index === (marked ?? placed[0]) ? 0 : -1,
                  onFocus: () => onMark(index),
                  onBlur: () => onMark(null),
                })}
          >
            {fieldValue(field, fields, formats)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface Marking {
  /** A field's place in the list. */
  marked: number | null;
  onMark: (field: number | null) => void;
}

const stepOf: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

function FrameBytes({
  entry: { hex, fields, lengthBytes },
  marked,
  onMark,
}: { entry: FrameEntry } & Marking) {
  const { t } = useTranslation();
  if (hex === null) return <p className="calm frame-bytes">{t('timeline.notReadable')}</p>;
  const shown = hex.split(' ').length;
  const piece = (side: 'hex' | 'text') => (each: HexPiece, index: number) => (
    <Fragment key={index}>
      {side === 'hex' && index > 0 && ' '}
      <span
        data-marked={(each.field !== null && each.field === marked) || undefined}
        onMouseEnter={() => onMark(each.field)}
      >
        {each[side]}
      </span>
    </Fragment>
  );
  return (
    <div className="frame-bytes">
      <div className="frame-dump mono" role="group" aria-label={t('timeline.dump')}>
        {hexLines(hex, fields).map(({ offset, pieces }) => (
          <div key={offset} className="dump-line">
            <span className="calm">{offset}</span>
            <code className="dump-hex">{pieces.map(piece('hex'))}</code>
            <span className="calm dump-text" aria-hidden="true">
              {pieces.map(piece('text'))}
            </span>
          </div>
        ))}
      </div>
      {shown < lengthBytes && (
        <p className="calm">{t('timeline.bytesLeftOut', { count: lengthBytes - shown })}</p>
      )}
    </div>
  );
}
