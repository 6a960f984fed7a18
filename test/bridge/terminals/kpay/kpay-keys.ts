/** Keys for tests: those of the golden vectors, which everybody can have, and two that are not fit. */
import { vectorsOf } from '../../../wire/frame-kit.ts';

function vector(id: string) {
  const found = vectorsOf('kpay').find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no vector ${id}`);
  return found;
}

const { data } = vector('kpay-sign-resp').decoded['body'] as {
  data: { appPrivateKey: string; platformPublicKey: string };
};

export const kpayKeys = {
  ...data,
  platformPrivateKey: Buffer.from(vector('kpay-testkey-platform').hex, 'hex').toString('base64'),
  ed25519: 'MC4CAQAwBQYDK2VwBCIEIGJsoCfSqwwMrtndTxEKFSNs1ykrudMq5PGAzvAI8rcu',
  rsa512:
    'MIIBVAIBADANBgkqhkiG9w0BAQEFAASCAT4wggE6AgEAAkEAtFw5j70sUscJ9sTytZS74QezLGxZnOieAkSIlONqXhMxM8KlXbSlTDOQO+r6uSp2bzB6aBZgoAOV7HMmlkLtowIDAQABAkBmDRDczfM4Wzq+EC4spB2ydELjTeNerxhIvDJz3EGhPFNNolySSkEgyyVi2lSb8PQE+LxcZi2y5v4RuLMa6DohAiEA4hUuhM/faZ6PsHC8inp9B3Cdy+D+vwPKCeYy9vyjq8sCIQDMOiPi/zLPDKxn5EHec8wEUfovdzXTuRrRtGHesUA6iQIhANg3c77W4w6q8zbGCrrRPEPiQzdZ3agm4pGnE3S813cTAiAxmP0WJ7wDJKTKJlkI2T523iHQXTcpUA7/VrteBdX/YQIgNdzMx1Wv+Tbbe2ULKkan2Ao+LmjH8/frcmSvqYGNhSg=',
};
