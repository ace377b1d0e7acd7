// A gRPC client of the API that the package has the messages of.
import grpc from '@grpc/grpc-js';
import loader from '@grpc/proto-loader';
import { protoFolder } from 'vaquita';

const definition = loader.loadSync('vaquita/v1/data.proto', { includeDirs: [protoFolder], longs: Number });
const { DataService } = grpc.loadPackageDefinition(definition).vaquita.v1;

export function connect(address) {
  const service = new DataService(address, grpc.credentials.createInsecure());
  const call = (method, request) =>
    new Promise((resolve, reject) => service[method](request, (error, answer) => (error ? reject(error) : resolve(answer))));
  return {
    put: (table, row, column, value) =>
      call('Mutate', {
        table,
        mutation: { type: 'TYPE_PUT', row: Buffer.from(row), cells: [{ family: Buffer.from('f'), qualifier: Buffer.from(column), value: Buffer.from(value) }] },
      }),
    get: async (table, row) => {
      const { result } = await call('Get', { table, get: { row: Buffer.from(row) } });
      return result?.cells?.[0]?.value.toString();
    },
    close: () => service.close(),
  };
}
