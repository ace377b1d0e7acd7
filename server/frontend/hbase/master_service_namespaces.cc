// Namespaces.
#include "hbase/Master.pb.h"
#include "proto/hbase/schema_codec.h"
#include "server/access/access_control.h"
#include "server/frontend/hbase/master_service_methods.h"

namespace vaquita::hbase {
namespace {

absl::Status CreateNamespace(const ServiceCall& call, const pb::CreateNamespaceRequest& request,
                             pb::CreateNamespaceResponse* response) {
  const NamespaceDescriptor ns = DecodeNamespace(request.namespacedescriptor());
  return StartOnce(call, request, response, [&] { return call.master->CreateNamespaceAsync(ns); });
}

absl::Status ModifyNamespace(const ServiceCall& call, const pb::ModifyNamespaceRequest& request,
                             pb::ModifyNamespaceResponse* response) {
  const NamespaceDescriptor ns = DecodeNamespace(request.namespacedescriptor());
  return StartOnce(call, request, response, [&] { return call.master->ModifyNamespaceAsync(ns); });
}

absl::Status DeleteNamespace(const ServiceCall& call, const pb::DeleteNamespaceRequest& request,
                             pb::DeleteNamespaceResponse* response) {
  return StartOnce(call, request, response, [&] { return call.master->DeleteNamespaceAsync(request.namespacename()); });
}

absl::Status GetNamespaceDescriptor(const ServiceCall& call, const pb::GetNamespaceDescriptorRequest& request,
                                    pb::GetNamespaceDescriptorResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const NamespaceDescriptor ns, call.master->GetNamespace(request.namespacename()));
  EncodeNamespace(ns, response->mutable_namespacedescriptor());
  return absl::OkStatus();
}

absl::Status ListNamespaceDescriptors(const ServiceCall& call, const pb::ListNamespaceDescriptorsRequest&,
                                      pb::ListNamespaceDescriptorsResponse* response) {
  const AccessControl* access = call.server.access();
  for (const NamespaceDescriptor& ns : call.master->ListNamespaces()) {
    if (access != nullptr && !access->MayAdministerNamespace(call.rpc.context.caller, ns.name)) continue;
    EncodeNamespace(ns, response->add_namespacedescriptor());
  }
  return absl::OkStatus();
}

absl::Status ListNamespaces(const ServiceCall& call, const pb::ListNamespacesRequest&,
                            pb::ListNamespacesResponse* response) {
  for (const NamespaceDescriptor& ns : call.master->ListNamespaces()) response->add_namespacename(ns.name);
  return absl::OkStatus();
}

}  // namespace

void AddNamespaceMethods(ServiceMethods* methods) {
  using enum ServiceMethods::Pace;
  methods->Add("CreateNamespace", kWaits, &CreateNamespace);
  methods->Add("ModifyNamespace", kWaits, &ModifyNamespace);
  methods->Add("DeleteNamespace", kWaits, &DeleteNamespace);
  methods->Add("GetNamespaceDescriptor", kQuick, &GetNamespaceDescriptor);
  methods->Add("ListNamespaceDescriptors", kQuick, &ListNamespaceDescriptors);
  methods->Add("ListNamespaces", kQuick, &ListNamespaces);
}

}  // namespace vaquita::hbase
