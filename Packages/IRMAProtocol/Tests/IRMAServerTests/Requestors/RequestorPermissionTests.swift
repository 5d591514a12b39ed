import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import JOSEKit
import JSONKit
import Testing

@testable import IRMAServer

/// The permissions of requestors.
@Suite struct RequestorPermissionTests {
    private func registry(_ permissions: RequestorPermissions) -> RequestorRegistry {
        RequestorRegistry(
            [Requestor("shop", authentication: .token(SecretBytes(Array("k".utf8))), permissions: permissions)]
        )
    }

    private func reason(_ permissions: RequestorPermissions, _ request: SessionRequest) -> String? {
        registry(permissions).reasonAgainst(request, by: "shop", host: "shop.example")
    }

    @Test(arguments: ["*", "demo.*", "demo.bank.*", "demo.bank.card.*", "demo.bank.card.name"])
    func wildcardsPermit(pattern: String) {
        #expect(reason(RequestorPermissions(disclose: [pattern]), ServerScene.nameRequest) == nil)
        let signing = SessionRequest(.signing(message: "x"), disclose: ServerScene.nameRequest.disclose)
        #expect(reason(RequestorPermissions(sign: [pattern]), signing) == nil)
        #expect(reason(RequestorPermissions(disclose: [pattern]), signing) != nil)
        #expect(reason(RequestorPermissions(sign: [pattern]), ServerScene.nameRequest) != nil)
    }

    @Test(arguments: [
        "other.*", "demo.shop.*", "demo.bank.mail.*", "demo.bank.card.number", "demo", "demo.bank.card", "dem.*",
    ])
    func otherPatternsDoNot(pattern: String) {
        #expect(reason(RequestorPermissions(disclose: [pattern]), ServerScene.nameRequest) == "demo.bank.card.name")
    }

    @Test func everyAttributeCounts() {
        let both = SessionRequest(.disclosing, disclose: [[["demo.bank.card.name"], ["demo.bank.mail.address"]]])
        #expect(reason(RequestorPermissions(disclose: ["demo.bank.card.*"]), both) == "demo.bank.mail.address")
        let whole = SessionRequest(.disclosing, disclose: [[["demo.bank.card"]]])
        #expect(reason(RequestorPermissions(disclose: ["demo.bank.card.*"]), whole) == nil)
        #expect(reason(RequestorPermissions(disclose: ["demo.bank.card.name"]), whole) == "demo.bank.card")
    }

    @Test func issuanceNeedsBothPermissions() {
        let issuance = ServerScene.issuance(ServerScene.cardRequest)
        let combined = ServerScene.issuance(ServerScene.cardRequest, disclose: ServerScene.nameRequest.disclose)
        for pattern in ["*", "demo.*", "demo.bank.*", "demo.bank.card"] {
            #expect(reason(RequestorPermissions(issue: [pattern]), issuance) == nil)
        }
        #expect(reason(.none, issuance) == "No issuer permissions configured")
        #expect(
            reason(RequestorPermissions(issue: ["demo.bank.mail"]), issuance)
                == "No issuer permissions configured for credential 'demo.bank.card'"
        )
        #expect(reason(RequestorPermissions(issue: ["*"]), combined) == "")
        #expect(reason(RequestorPermissions(disclose: ["demo.bank.card.name"], issue: ["*"]), combined) == nil)
    }

    @Test func globalPermissionsAreJoined() {
        let registry = RequestorRegistry(
            [Requestor("shop", authentication: .token(SecretBytes([1])))],
            permissions: RequestorPermissions(disclose: ["demo.*"])
        )
        #expect(registry.reasonAgainst(ServerScene.nameRequest, by: "shop", host: "a") == nil)
        #expect(registry.reasonAgainst(ServerScene.nameRequest, by: "nobody", host: "a") == nil)
        #expect(registry.reasonAgainstRevoking("demo.bank.pass", by: "shop") == "demo.bank.pass")
    }

    @Test func hostsNeedPermission() {
        func reason(_ hosts: [String], _ host: String?) -> String? {
            var request = ServerScene.nameRequest
            request.parameters.host = host
            return self.reason(RequestorPermissions(disclose: ["*"], hosts: hosts), request)
        }
        #expect(reason([], nil) == nil)
        #expect(reason([], "shop.example") == nil)
        #expect(reason([], "other.example") != nil)
        #expect(reason(["*.example"], "other.example") == nil)
        #expect(reason(["*.example"], "other.example:8080") != nil)
        // The server's own host needs a pattern as well, where there are any.
        #expect(reason(["other.example"], nil) != nil)
        #expect(reason(["shop.example"], nil) == nil)
    }

    @Test func patternsOfHosts() {
        let cases: [(String, String, Bool)] = [
            ("*", "", true), ("*", "a.b", true), ("a?c", "abc", true), ("a?c", "ac", false), ("*.b", ".b", true),
            ("a*b*c", "axxbyyc", true), ("a*b*c", "axxbyy", false), ("", "", true), ("", "a", false),
            (String(repeating: "*a", count: 50), String(repeating: "a", count: 200), true),
            (String(repeating: "*a", count: 50) + "b", String(repeating: "a", count: 200), false),
        ]
        for (pattern, host, fits) in cases { #expect(HostPattern(text: pattern).matches(host) == fits, "\(pattern)") }
    }

    @Test func forbiddenRequestsStartNothing() async throws {
        let world = try ServerWorld {
            $0.requestors = registry(RequestorPermissions(disclose: ["demo.bank.mail.*"]))
        }
        let body = try RequestorMessage(ServerScene.nameRequest).encoded()
        let fields: HTTPFields = [.contentType: "application/json", .authorization: "k"]
        let response = try await world.response(.post, "/session", fields, body)
        try expectError(.unauthorized, in: response)
        #expect(try response.json().member("message") == "demo.bank.card.name")
    }
}
