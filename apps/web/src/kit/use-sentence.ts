import { useTranslations } from 'next-intl';

/** What an operation does, in one sentence [UX-S1]: ten installations of one kind are told apart by what they make. */
export function useSentence(): (title: string, resource: string | null) => string {
  const words = useTranslations('operation');
  return (title, resource) => (resource === null ? title : words('sentence', { title, resource }));
}
