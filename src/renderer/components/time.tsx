import { useFormats } from '../messages/formats.ts';

/** An instant in local time; the tooltip has the date and the zone. */
export function Time({
  at,
  show = 'time',
}: {
  at: string;
  show?: 'time' | 'dateTime' | 'preciseTime' | 'day';
}) {
  const formats = useFormats();
  return (
    <time dateTime={at} title={formats.fullTime(at)}>
      {formats[show](at)}
    </time>
  );
}
