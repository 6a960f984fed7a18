/** The states of a shop: shape and colour, in the console's one set. */
import {
  BookX,
  CircleCheck,
  CircleDashed,
  ClockAlert,
  FlaskConical,
  History,
  Scale,
  TriangleAlert,
  Unplug,
} from 'lucide-react';
import type { ShopState } from '../../../contract/office-page.ts';
import { Mark, type Shape } from '../../components/status-mark.tsx';

/** As shops are counted: a trial beside real shops is in none of their states. */
export type ShopGroup = ShopState | 'trial';

const shapes: Record<ShopGroup, Shape> = {
  in_doubt: { icon: TriangleAlert, tone: 'bad' },
  journal_trouble: { icon: BookX, tone: 'bad' },
  discrepancy: { icon: Scale, tone: 'warn' },
  silent: { icon: ClockAlert, tone: 'warn' },
  not_ready: { icon: Unplug, tone: 'warn' },
  old_version: { icon: History, tone: 'busy' },
  ready: { icon: CircleCheck, tone: 'good' },
  not_joined: { icon: CircleDashed, tone: 'calm' },
  trial: { icon: FlaskConical, tone: 'calm' },
};

export function StateMark({ state }: { state: ShopGroup }) {
  return <Mark shape={shapes[state]} />;
}

export function toneOf(state: ShopGroup): Shape['tone'] {
  return shapes[state].tone;
}
