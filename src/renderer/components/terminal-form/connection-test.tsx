/** "Test connection": asks the terminal to register and for its last record. Never anything that carries an amount. */
import { CircleCheck, PlugZap, TriangleAlert, Unplug } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConnectionTest as TestResult } from '../../../contract/console/index.ts';
import { Button } from '../button.tsx';
import { RefusedNote } from '../notices.tsx';
import { useAction } from '../../store/queries.ts';
import { testOf, type TerminalValue } from './terminal-value.ts';
import { BridgeText } from '../bridge-text.tsx';

export function ConnectionTest({
  value,
  ready,
}: {
  value: TerminalValue;
  /** The value is complete and right, so that it can be tried; if not, pressing the button says so. */
  ready: boolean;
}) {
  const { t } = useTranslation();
  const action = useAction('testConnection');
  const [result, setResult] = useState<{ of: string; test: TestResult } | null>(null);
  const request = testOf(value, value.terminal ?? '');
  const key = JSON.stringify(request);
  const [pressed, setPressed] = useState(false);
  const test = async () => {
    setResult(null);
    setPressed(true);
    if (!ready) return;
    const response = await action.run(request);
    if (response !== null) setResult({ of: key, test: response });
  };
  return (
    <div className="connection-test">
      <div className="connection-test-row">
        <Button icon={<PlugZap aria-hidden="true" />} busy={action.busy} onClick={() => void test()}>
          {t('terminalForm.test')}
        </Button>
        <p className="field-hint">{t('terminalForm.testHint')}</p>
      </div>
      <div aria-live="polite">
        {action.busy && <p className="calm">{t('terminalForm.testing')}</p>}
        {/* A result of other settings than those that are shown would mislead. */}
        {!action.busy && result !== null && result.of === key && <TestMessage test={result.test} />}
      </div>
      <p className="field-problem" role="alert">
        {pressed && !ready && t('terminalForm.testIncomplete')}
      </p>
      <RefusedNote refusal={action.refusal} />
    </div>
  );
}

const tones: Partial<Record<TestResult['kind'], 'good' | 'warn'>> = {
  ready: 'good',
  attention: 'warn',
  not_saved: 'warn',
};

/** What came of a test, and what to do next. The bridge's own sentence stands below: it knows more. */
function TestMessage({ test }: { test: TestResult }) {
  const { t } = useTranslation();
  const tone = tones[test.kind] ?? 'bad';
  const Icon = { good: CircleCheck, warn: TriangleAlert, bad: Unplug }[tone];
  const terminalId = 'terminalId' in test ? test.terminalId : null;
  return (
    <div className={`note note-${tone} test-result`} data-test-result={test.kind}>
      <Icon aria-hidden="true" />
      <div>
        <p>
          <strong>{t(`terminalForm.result.${test.kind}`)}</strong>{' '}
          {terminalId !== null && t('terminal.id', { id: terminalId })}
        </p>
        <p>{t(`terminalForm.resultNext.${test.kind}`)}</p>
        {test.kind !== 'ready' && test.kind !== 'not_saved' && (
          <p className="test-result-text">
            <BridgeText text={test.text} />
          </p>
        )}
      </div>
    </div>
  );
}
