/** Where there has been no payment yet: a test payment on the simulator, or how the POS gets here. */
import { CreditCard, FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { parseAmount } from '../../../contract/money.ts';
import { Button, CopyButton } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { Empty, RefusedNote } from '../../components/notices.tsx';
import { WhyLink } from '../../components/why-link.tsx';
import { useFormats } from '../../messages/formats.ts';
import { useAction } from '../../store/queries.ts';
import { ofTerminal } from '../../store/chosen-terminal.ts';
import { useView } from '../../store/console-context.tsx';
import { useTerminalName, useTerminalState } from '../../store/terminal-context.tsx';

export function FirstPayment() {
  const { t } = useTranslation();
  const { terminal, listener, currentOperation } = useTerminalState();
  if (terminal?.simulated === true && currentOperation === null)
    return (
      <div className="till-first">
        <p>{t('till.first.try')}</p>
        <TestPayment />
      </div>
    );
  if (terminal !== null && !terminal.simulated && listener.kind === 'on')
    return <SetYourPos port={listener.port} />;
  return (
    <Empty icon={<CreditCard className="mark tone-calm" aria-hidden="true" />} title={t('till.noLast')}>
      {t('till.noLastText')}
    </Empty>
  );
}

/** Below the last result, for whoever practises: the endings of amounts that the simulator knows are tried one by one. */
export function AnotherTestPayment() {
  const { t } = useTranslation();
  const { terminal, currentOperation, doubts } = useTerminalState();
  const { connected } = useView();
  if (!connected) return null;
  if (terminal?.simulated !== true || currentOperation !== null || doubts.length > 0) return null;
  return (
    <details className="till-again">
      <summary>{t('till.first.again')}</summary>
      <TestPayment />
    </details>
  );
}

/** Its result comes into the large card, as that of every payment. */
function TestPayment() {
  const { t } = useTranslation();
  const { currency } = useTerminalState();
  const name = useTerminalName();
  const pay = useAction('testPayment');
  const formats = useFormats();
  const [typed, setTyped] = useState<string | null>(null);
  // The language may come from the settings, after the page is there.
  const text = typed ?? formats.decimal(12, 2);
  const [pressed, setPressed] = useState(false);
  const written = text.trim().replace(',', '.');
  const amount = parseAmount(written.includes('.') ? written : `${written}.00`, currency);
  const wrong = !amount.ok || amount.amountMinor < 1 ? t('till.first.amountWrong') : null;
  return (
    <form
      className="till-test"
      onSubmit={(event) => {
        event.preventDefault();
        setPressed(true);
        if (amount.ok && wrong === null)
          void pay.run({ amountMinor: amount.amountMinor, ...ofTerminal(name) });
      }}
    >
      <Field
        label={t('till.first.amount', { currency })}
        hint={t('till.first.endings')}
        problem={pressed ? wrong : null}
      >
        {(tie) => (
          <input
            {...tie}
            inputMode="decimal"
            autoComplete="off"
            maxLength={12}
            value={text}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
      <Button type="submit" look="primary" busy={pay.busy} icon={<FlaskConical aria-hidden="true" />}>
        {t('till.first.pay')}
      </Button>
      <RefusedNote refusal={pay.refusal} />
    </form>
  );
}

function SetYourPos({ port }: { port: number }) {
  const { t } = useTranslation();
  const address = `http://localhost:${port}`;
  return (
    <div className="till-first">
      <p>{t('till.first.setPos')}</p>
      <p className="till-first-address">
        <code>{address}</code>
        <CopyButton text={address} />
      </p>
      <p className="calm">{t('till.first.check')}</p>
      <p>
        <WhyLink />
      </p>
    </div>
  );
}
