/** The open discrepancies of one payment, each with the way to acknowledge it. */
import { Scale } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DiscrepancyView } from '../../../contract/discrepancy.ts';
import { Button } from '../../components/button.tsx';
import { DiscrepancyDialog } from '../../components/decisions/discrepancy-dialog.tsx';

export function PaymentDiscrepancies({
  discrepancies,
  retry,
}: {
  discrepancies: DiscrepancyView[];
  retry: () => void;
}) {
  const { t } = useTranslation();
  const [looking, setLooking] = useState<DiscrepancyView | null>(null);
  return (
    <>
      {discrepancies.map((discrepancy) => (
        <div key={discrepancy.discrepancyId} className="note note-warn detail-discrepancy" role="status">
          <Scale aria-hidden="true" />
          <div>
            <p>
              <strong>{t(`discrepancy.kind.${discrepancy.kind}`)}</strong>
            </p>
            <p lang="en">{discrepancy.message}</p>
          </div>
          <Button onClick={() => setLooking(discrepancy)}>{t('discrepancy.look')}</Button>
        </div>
      ))}
      {looking !== null && (
        <DiscrepancyDialog
          shown={looking}
          onClose={() => {
            setLooking(null);
            retry();
          }}
        />
      )}
    </>
  );
}
