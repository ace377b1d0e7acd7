// server/frontend/hbase/rpc/testing/raw_client.h: an HBase client that sends exactly the bytes of a test. For tests
// only.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/big_endian.h"
#include "base/testing/raw_socket.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "hbase/RPC.pb.h"
#include "proto/hbase/pb.h"

namespace vaquita::hbase::testing {

struct RawResponse {
  pb::ResponseHeader header;
  std::string param;
  std::string cells;
};

class RawClient : public vaquita::testing::RawSocket {
 public:
  using RawSocket::RawSocket;

  // Sends as much as possible while the server does not read. Returns the number of bytes.
  size_t SendWithoutWaiting(std::string_view bytes) {
    const ssize_t sent = send(handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    return sent < 0 ? 0 : static_cast<size_t>(sent);
  }

  static std::string Frame(std::string_view body) {
    std::string frame;
    AppendBigEndian(static_cast<uint32_t>(body.size()), &frame);
    return frame.append(body);
  }
  static pb::ConnectionHeader Header(const std::string& service) {
    pb::ConnectionHeader header;
    header.set_service_name(service);
    header.mutable_user_info()->set_effective_user("somebody");
    header.set_cell_block_codec_class("org.apache.hadoop.hbase.codec.KeyValueCodec");
    pb::VersionInfo* version = header.mutable_version_info();
    version->set_version("2.6.0");
    for (auto set : {&pb::VersionInfo::set_url<const char*>, &pb::VersionInfo::set_revision<const char*>,
                     &pb::VersionInfo::set_user<const char*>, &pb::VersionInfo::set_date<const char*>,
                     &pb::VersionInfo::set_src_checksum<const char*>}) {
      (version->*set)("");
    }
    return header;
  }
  void SendHeader(const pb::ConnectionHeader& header) {
    EXPECT_TRUE(Send(std::string("HBas\0\x50", 6) + Frame(header.SerializeAsString())));
  }
  static std::string Delimited(std::string_view bytes) {
    std::string out;
    {
      google::protobuf::io::StringOutputStream stream(&out);
      google::protobuf::io::CodedOutputStream(&stream).WriteVarint32(static_cast<uint32_t>(bytes.size()));
    }
    return out.append(bytes);
  }
  static std::string Request(uint32_t call_id, const std::string& method, std::string_view param,
                             std::string_view cells = {}) {
    pb::RequestHeader header;
    header.set_call_id(call_id);
    header.set_method_name(method);
    header.set_request_param(true);
    if (!cells.empty()) header.mutable_cell_block_meta()->set_length(static_cast<uint32_t>(cells.size()));
    return Frame(Delimited(header.SerializeAsString()) + Delimited(param) + std::string(cells));
  }
  void Call(uint32_t call_id, const std::string& method, std::string_view param, std::string_view cells = {}) {
    EXPECT_TRUE(Send(Request(call_id, method, param, cells)));
  }

  RawResponse ReceiveResponse() {
    RawResponse response;
    const std::string length = Read(4);
    if (length.size() < 4) {
      ADD_FAILURE() << "no response";
      return response;
    }
    const std::string frame = Read(GetBigEndian<uint32_t>(length.data()));
    google::protobuf::io::CodedInputStream in(reinterpret_cast<const uint8_t*>(frame.data()),
                                              static_cast<int>(frame.size()));
    uint32_t size = 0;
    EXPECT_TRUE(in.ReadVarint32(&size));
    const auto limit = in.PushLimit(static_cast<int>(size));
    EXPECT_TRUE(response.header.ParseFromCodedStream(&in));
    in.PopLimit(limit);
    if (response.header.has_exception()) return response;
    EXPECT_TRUE(in.ReadVarint32(&size));
    EXPECT_TRUE(in.ReadString(&response.param, static_cast<int>(size)));
    response.cells = frame.substr(static_cast<size_t>(in.CurrentPosition()));
    EXPECT_EQ(response.cells.size(), response.header.cell_block_meta().length());
    return response;
  }
  // Returns whether the server closes the connection without sending more.
  bool IsClosed() {
    pollfd wait = {handle(), POLLIN, 0};
    char byte;
    return poll(&wait, 1, kPatienceMs) > 0 && recv(handle(), &byte, 1, 0) <= 0;
  }
  void StopSending() { shutdown(handle(), SHUT_WR); }

 private:
  static constexpr int kPatienceMs = 20'000;
};

}  // namespace vaquita::hbase::testing
