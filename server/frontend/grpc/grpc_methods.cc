#include "server/frontend/grpc/grpc_methods.h"

#include "vaquita/v1/admin.methods.h"
#include "vaquita/v1/data.methods.h"

namespace vaquita {

void AddMethods(GrpcDataService* data, GrpcBoundedService* service) {
#define ADD(method) service->Add(v1::DataMethods::method, data, &GrpcDataService::method);
  VAQUITA_DATA_METHODS(ADD)
#undef ADD
}

void AddMethods(GrpcAdminService* admin, GrpcBoundedService* service) {
#define ADD(method) service->Add(v1::AdminMethods::method, admin, &GrpcAdminService::method);
  VAQUITA_ADMIN_METHODS(ADD)
#undef ADD
}

}  // namespace vaquita
