import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import JOSEKit
import JSONKit
import Testing

@testable import IRMAServer

/// Settings that no server is made with.
@Suite struct ConfigurationTests {
    private func expectRefusal(
        _ code: IRMAServerError.Code,
        at component: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (inout ServerWorld.Setup) -> Void
    ) {
        let error = #expect(throws: IRMAServerError.self, sourceLocation: sourceLocation) {
            _ = try ServerWorld(change)
        }
        #expect(error?.code == code, "\(String(describing: error))", sourceLocation: sourceLocation)
        #expect(error?.path.contains(component) == true, "\(String(describing: error))", sourceLocation: sourceLocation)
    }

    @Test func urls() throws {
        for url in ["", "shop.example/irma", "ftp://shop.example/", "https://shop.example/irma?a=1"] {
            expectRefusal(.invalidConfiguration, at: "url") { $0.url = url }
        }
        expectRefusal(.unsafeConfiguration, at: "url") { $0.url = "http://shop.example/irma/" }
        #expect(
            try ServerWorld { setup in
                setup.url = "http://shop.example/irma"
                setup.options.allowsPlainHTTP = true
            }.server.url == "http://shop.example/irma/"
        )
        #expect(
            try ServerWorld { setup in
                setup.url = "http://localhost:8088/irma/"
                setup.options.mode = .development
            }.server.host == "localhost:8088"
        )
    }

    @Test func times() {
        expectRefusal(.invalidConfiguration, at: "maximumSessionLifetime") { $0.options.maximumSessionLifetime = .zero }
        expectRefusal(.invalidConfiguration, at: "resultLifetime") { $0.options.resultLifetime = .seconds(-1) }
        expectRefusal(.invalidConfiguration, at: "requestDeadline") { $0.options.requestDeadline = .zero }
        expectRefusal(.invalidConfiguration, at: "schemeUpdateInterval") { $0.options.schemeUpdateInterval = .zero }
        for version in [ProtocolVersion(2, 3), .v2_9] {
            expectRefusal(.invalidConfiguration, at: "minimumVersion") { $0.options.minimumVersion = version }
        }
    }

    @Test func requestors() {
        let token = Requestor("a", authentication: .token(SecretBytes([1])))
        let lists = [
            [token, token], [Requestor("", authentication: .token(SecretBytes([1])))],
            [Requestor("a", authentication: .token(SecretBytes([UInt8]())))],
            [token, Requestor("b", authentication: .token(SecretBytes([1])))],
            [Requestor("a", authentication: .hmac(SecretBytes(Array(repeating: 1, count: 31))))],
            [Requestor("a", authentication: .hmac(SecretBytes([UInt8]()), allowsShortKey: true))],
        ]
        for list in lists {
            expectRefusal(.invalidConfiguration, at: "requestors") { $0.requestors = RequestorRegistry(list) }
        }
    }

    @Test func permissions() throws {
        let patterns = [
            "other.*", "demo.shop.*", "demo.bank.purse.*", "demo.bank.card.colour", "demo", "demo.bank.card",
            "*.bank.*",
            "demo.*.card.name", "", "demo.bank.card.name.*", "demo.bank.card.na*",
        ]
        for pattern in patterns {
            let permissions = RequestorPermissions(disclose: [pattern])
            expectRefusal(.invalidConfiguration, at: pattern) {
                $0.requestors = .unauthenticated(permissions: permissions)
            }
            expectRefusal(.invalidConfiguration, at: "a") {
                $0.requestors = RequestorRegistry(
                    [Requestor("a", authentication: .token(SecretBytes([1])), permissions: permissions)]
                )
            }
        }
        for pattern in ["demo.bank.card.name", "demo.bank.card.*"] {
            expectRefusal(.invalidConfiguration, at: pattern) {
                $0.requestors = .unauthenticated(permissions: RequestorPermissions(issue: [pattern]))
            }
        }
    }

    @Test func productionDoesNotLetEveryoneIssue() throws {
        let open = RequestorRegistry.unauthenticated(permissions: .all)
        expectRefusal(.unsafeConfiguration, at: "issue") {
            $0.requestors = open
            $0.options.hasSeparateRequestorListener = false
        }
        _ = try ServerWorld { $0.requestors = open }
        _ = try ServerWorld {
            $0.requestors = .unauthenticated(permissions: RequestorPermissions(disclose: ["*"]))
            $0.options.hasSeparateRequestorListener = false
        }
        _ = try ServerWorld {
            $0.requestors = open
            $0.options.hasSeparateRequestorListener = false
            $0.options.mode = .development
        }
    }

    @Test func staticSessions() throws {
        var options = RequestorOptions()
        options.callbackURL = "https://shop.example/result"
        let good = RequestorMessage(ServerScene.nameRequest, options: options)
        let issuance = RequestorMessage(ServerScene.issuance(ServerScene.cardRequest), options: options)
        for (name, message) in [
            ("", good), ("a-b", good), ("a", RequestorMessage(ServerScene.nameRequest)), ("a", issuance),
        ] {
            expectRefusal(.invalidConfiguration, at: name) {
                $0.staticSessions = [name: message]
                $0.options.allowsUnsignedCallbacks = true
            }
        }
        expectRefusal(.invalidConfiguration, at: "a") { $0.staticSessions = ["a": good] }
        expectRefusal(.invalidConfiguration, at: "a") {
            $0.staticSessions = ["a": good]
            $0.options.allowsUnsignedCallbacks = true
            $0.hasTransport = false
        }
    }
}
