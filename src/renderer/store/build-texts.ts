/** Texts that the build has put beside the page. */
import { useQuery } from '@tanstack/react-query';
import { buildTextFiles, licencesSchema, whatsNewSchema } from '../../contract/console/index.ts';

const schemas = { whatsNew: whatsNewSchema, licences: licencesSchema };
type BuildTexts = { [N in keyof typeof schemas]: ReturnType<(typeof schemas)[N]['parse']> };

/** Null while it is loading. */
interface BuildText<T> {
  data: T | null;
  failed: boolean;
  retry: () => void;
}

/** Read once: it changes only with the program. */
export function useBuildText<N extends keyof BuildTexts>(name: N): BuildText<BuildTexts[N]> {
  const query = useQuery({
    queryKey: ['build text', name],
    queryFn: async () => {
      const response = await fetch(buildTextFiles[name], { credentials: 'omit' });
      return schemas[name].parse(await response.json()) as BuildTexts[N];
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { data: query.data ?? null, failed: query.isError, retry: () => void query.refetch() };
}
