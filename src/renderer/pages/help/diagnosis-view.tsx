/** "Why is it not working?": each step from the POS to the terminal, the first that fails on top with what to do. */
import { CircleCheck, CircleHelp, OctagonAlert, RotateCw, TriangleAlert } from 'lucide-react';
import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import {
  diagnosisFindings,
  type ConsoleChange,
  type Diagnosis,
  type DiagnosisCheck,
  type DiagnosisFinding,
  type DiagnosisVerdict,
} from '../../../contract/console/index.ts';
import { BridgeText } from '../../components/bridge-text.tsx';
import { Button } from '../../components/button.tsx';
import { ConnectionMessage, Empty, Refused } from '../../components/notices.tsx';
import { Mark, type Shape } from '../../components/status-mark.tsx';
import { Time } from '../../components/time.tsx';
import { useView } from '../../store/console-context.tsx';
import { ofTerminal } from '../../store/chosen-terminal.ts';
import { useTerminalName } from '../../store/terminal-context.tsx';
import { useMethod } from '../../store/queries.ts';
import { CallsTable } from './calls-table.tsx';
import { FindingAction } from './finding-action.tsx';
import { useFindingText } from './finding-text.ts';

/** A cable that is plugged in tells nobody: the page looks again by itself. */
const lookEveryMs = 10_000;
const refetch = {
  isAbout: ({ kind }: ConsoleChange) => kind === 'state' || kind === 'settings',
  delayMs: 300,
  everyMs: 2_000,
};

const shapes: Record<DiagnosisVerdict, Shape> = {
  ok: { icon: CircleCheck, tone: 'good' },
  attention: { icon: TriangleAlert, tone: 'warn' },
  fault: { icon: OctagonAlert, tone: 'bad' },
  unknown: { icon: CircleHelp, tone: 'calm' },
};

const groups = {
  program: ['bridge', 'settings', 'money'],
  terminal: ['address', 'port', 'permission', 'answers', 'registered', 'ready', 'record'],
  pos: ['listener', 'pos', 'origin', 'token'],
  computer: ['journal', 'disk', 'clock', 'office'],
} as const satisfies Record<string, readonly DiagnosisCheck[]>;
type Group = keyof typeof groups;
const groupNames = Object.keys(groups) as Group[];

const checkOf = ({ finding }: DiagnosisFinding) => diagnosisFindings[finding][0];
const verdictOf = ({ finding }: DiagnosisFinding): DiagnosisVerdict => diagnosisFindings[finding][1];

export function DiagnosisView() {
  const { t } = useTranslation();
  const request = ofTerminal(useTerminalName());
  const { data, refusal, retry } = useMethod('diagnosis', request, refetch);
  const busy = useIsFetching({ queryKey: ['diagnosis', request] }) > 0;
  const lookAgain = useEffectEvent(() => {
    if (!document.hidden) retry();
  });
  useEffect(() => {
    const timer = setInterval(() => lookAgain(), lookEveryMs);
    return () => clearInterval(timer);
  }, []);
  const { connected, shutOut } = useView();
  // What was found before says nothing about now.
  if (!connected)
    return (
      <Empty icon={<Mark shape={shapes.fault} large />} title={t('refusals.not_connected')}>
        <ConnectionMessage shutOut={shutOut} />
      </Empty>
    );
  if (refusal !== null) return <Refused refusal={refusal} retry={retry} />;
  if (data === null) return <Empty title={t('diagnosis.looking')} />;
  return (
    <>
      <p className="help-intro calm">{t('diagnosis.intro')}</p>
      <First diagnosis={data} />
      <div className="diagnosis-again">
        <Button icon={<RotateCw aria-hidden="true" />} busy={busy} onClick={retry}>
          {t('diagnosis.lookAgain')}
        </Button>
        <LookedAt at={data.at} />
      </div>
      <section className="diagnosis-groups" aria-label={t('diagnosis.steps')}>
        {groupNames.map((group) => (
          <GroupCard key={group} group={group} findings={data.findings} />
        ))}
      </section>
      <CallsTable calls={data.calls} />
    </>
  );
}

function LookedAt({ at }: { at: string }) {
  const { t } = useTranslation();
  const [before = '', after = ''] = t('diagnosis.lookedAt', { time: '\u0000' }).split('\u0000');
  return (
    <p className="calm">
      {before}
      <Time at={at} />
      {after}
    </p>
  );
}

/** The first fault, else the first thing to look at, in large words; or that all is well. */
function First({ diagnosis: { findings } }: { diagnosis: Diagnosis }) {
  const { t } = useTranslation();
  const text = useFindingText();
  const first =
    findings.find((one) => verdictOf(one) === 'fault') ??
    findings.find((one) => verdictOf(one) === 'attention');
  if (first === undefined) {
    return (
      <section className="card diagnosis-first" data-verdict="ok" role="status">
        <Mark shape={shapes.ok} large />
        <div>
          <h2>{t('diagnosis.allWell')}</h2>
          <p>{t('diagnosis.allWellText')}</p>
        </div>
      </section>
    );
  }
  const verdict = verdictOf(first);
  return (
    <section className="card diagnosis-first" data-verdict={verdict} aria-label={t('diagnosis.first')}>
      <Mark shape={shapes[verdict]} large />
      <div role="status">
        {verdict === 'attention' && <p className="calm">{t('diagnosis.mostly')}</p>}
        <h2>{t(`diagnosis.check.${checkOf(first)}`)}</h2>
        <p>{text(first)}</p>
        <Said said={first.said} />
      </div>
      <FindingAction finding={first} />
    </section>
  );
}

function Said({ said }: { said: string | null }) {
  if (said === null) return null;
  return (
    <p className="diagnosis-said">
      <BridgeText text={said} />
    </p>
  );
}

function GroupCard({ group, findings }: { group: Group; findings: DiagnosisFinding[] }) {
  const { t } = useTranslation();
  const checks: readonly DiagnosisCheck[] = groups[group];
  return (
    <section className="card diagnosis-group" aria-labelledby={`diagnosis-${group}`}>
      <h2 id={`diagnosis-${group}`}>{t(`diagnosis.group.${group}`)}</h2>
      <ol>
        {findings
          .filter((finding) => checks.includes(checkOf(finding)))
          .map((finding) => (
            <Step key={checkOf(finding)} finding={finding} />
          ))}
      </ol>
    </section>
  );
}

function Step({ finding }: { finding: DiagnosisFinding }) {
  const { t } = useTranslation();
  const text = useFindingText();
  const verdict = verdictOf(finding);
  const { at, said } = finding;
  return (
    <li className="diagnosis-step" data-finding={finding.finding} data-verdict={verdict}>
      <Mark shape={shapes[verdict]} />
      <div>
        <p className="diagnosis-check">
          <strong>{t(`diagnosis.check.${checkOf(finding)}`)}</strong>
          <span className={`tone-${shapes[verdict].tone}`}>{t(`diagnosis.verdict.${verdict}`)}</span>
          {at !== null && (
            <span className="calm">
              <Time at={at} show="dateTime" />
            </span>
          )}
        </p>
        <p>{text(finding)}</p>
        <Said said={said} />
        {verdict !== 'ok' && <FindingAction finding={finding} />}
      </div>
    </li>
  );
}
