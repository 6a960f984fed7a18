/** The states of a shop: shape and colour, in the console's one set. */
import {
  BookX,
  CircleCheck,
  CircleDashed,
  ClockAlert,
  History,
  Scale,
  TriangleAlert,
  Unplug,
} from 'lucide-react';
import type { ShopState } from '../../../contract/office-page.ts';
import { Mark, type Shape } from '../../components/status-mark.tsx';

const shapes: Record<ShopState, Shape> = {
  in_doubt: { icon: TriangleAlert, tone: 'bad' },
  journal_trouble: { icon: BookX, tone: 'bad' },
  discrepancy: { icon: Scale, tone: 'warn' },
  silent: { icon: ClockAlert, tone: 'warn' },
  not_ready: { icon: Unplug, tone: 'warn' },
  old_version: { icon: History, tone: 'busy' },
  ready: { icon: CircleCheck, tone: 'good' },
  not_joined: { icon: CircleDashed, tone: 'calm' },
};

export function StateMark({ state }: { state: ShopState }) {
  return <Mark shape={shapes[state]} />;
}

export function toneOf(state: ShopState): Shape['tone'] {
  return shapes[state].tone;
}
