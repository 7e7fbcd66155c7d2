#include "cli_program.hpp"
#include "http_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace mizan::integration {
namespace {

using ::testing::HasSubstr;

/// A certificate for 127.0.0.1, made with the openssl program.
void make_certificate(const Program& program) {
  const Ran made = program.shell(
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
      "-subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem");
  ASSERT_EQ(made.status, 0) << made.err;
}

TEST(HttpTls, the_server_speaks_tls_with_its_certificate) {
  if (!has_program("openssl")) GTEST_SKIP() << "openssl is missing";
  const Program program;
  make_certificate(program);
  HttpServer server(
      {"--tls-certificate", program.path("cert.pem"), "--tls-key", program.path("key.pem")});
  const std::string port = std::to_string(server.port());
  const Ran ran = program.shell(
      "printf 'GET /livez HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n"
      "GET /readyz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' | timeout 20 "
      "openssl s_client -quiet -verify_return_error "
      "-CAfile cert.pem -connect 127.0.0.1:" +
      port);
  EXPECT_THAT(ran.out, HasSubstr("HTTP/1.1 200 OK")) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr(R"({"status":"ok"})"));
  EXPECT_THAT(ran.out, HasSubstr(R"({"status":"ready"})"));
  // A client that does not speak TLS gets nothing, and hurts nobody.
  HttpClient plain = server.connect();
  ASSERT_TRUE(plain.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  EXPECT_FALSE(plain.receive(soon(std::chrono::seconds{5})));
  EXPECT_EQ(server.stop(), 0);
}

TEST(HttpTls, a_certificate_that_cannot_be_used_is_named_at_the_start) {
  const Program program;
  program.write_file("cert.pem", "nonsense");
  const Ran both = program.run({"serve",
                                "--listen",
                                "127.0.0.1:0",
                                "--store",
                                "memory:",
                                "--tls-certificate",
                                "cert.pem",
                                "--tls-key",
                                "cert.pem"});
  EXPECT_EQ(both.status, 1);
  EXPECT_THAT(both.err, HasSubstr("certificate"));
  const Ran one = program.run({"serve", "--store", "memory:", "--tls-certificate", "cert.pem"});
  EXPECT_EQ(one.status, 1);
  const Ran address = program.run({"serve", "--store", "memory:", "--listen", "nowhere"});
  EXPECT_EQ(address.status, 1);
  EXPECT_THAT(address.err, HasSubstr("127.0.0.1:7780"));
}

}  // namespace
}  // namespace mizan::integration
