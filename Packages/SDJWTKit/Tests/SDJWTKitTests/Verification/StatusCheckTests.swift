import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit
import StatusListKit
import Testing

@Suite struct StatusCheckTests {
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    private func verification(
        _ status: JSONValue?,
        _ statusPolicy: StatusPolicy,
        _ checker: SDJWTStatusChecker? = SDJWTStatusChecker { _, _ in .valid(asOf: .distantPast) },
        expecting expectation: SDJWTExpectation = .noKeyBinding
    ) async throws -> Verification<VerifiedSDJWT> {
        var payload: JSONObject = ["vct": "t", "iss": "https://issuer.example"]
        payload["status"] = status
        var policy = SDJWTVerificationPolicy.credential(algorithms: [.es256])
        policy.status = statusPolicy
        let verifier = SDJWTVerifier(
            policy: policy,
            issuerKeys: KnownIssuerKeys(scene.issuer.publicKey),
            statusChecker: checker
        )
        let text = try await assemble(.object(payload), signer: scene.issuer)
        return await verifier.verify(try SDJWT(compact: text), expecting: expectation)
    }

    private let named: JSONValue = ["status_list": ["idx": 3, "uri": "https://status.example/1"]]

    @Test func aValidStatus() async throws {
        let checker = SDJWTStatusChecker { reference, credential in
            let isKnown = reference.index == 3 && reference.uri == "https://status.example/1"
            return isKnown && credential.issuer == "https://issuer.example" ? .valid(asOf: .distantPast) : .revoked
        }
        let verification = try await verification(named, .required, checker)
        verification.expectEveryCheck()
        #expect(verification.verified?.status == .valid(asOf: .distantPast))
        #expect(verification.outcome(of: .status)?.outcome == .passed)
    }

    @Test(
        arguments: [
            (.revoked, .revoked), (.suspended, .suspended), (.application(3), .statusUnknown),
            (.unknown("no list"), .statusUnknown),
        ] as [(CredentialStatus, Reason)]
    )
    func otherStatuses(status: CredentialStatus, reason: Reason) async throws {
        for policy in [StatusPolicy.required, .whenNamed] {
            let checker = SDJWTStatusChecker { _, _ in StatusFinding(status) }
            try await verification(named, policy, checker).expectRefusal(.status, reason)
        }
        let waived = try await verification(named, .waived, SDJWTStatusChecker { _, _ in StatusFinding(status) })
        #expect(waived.verified != nil)
        #expect(waived.outcome(of: .status)?.outcome == .waived("status"))
    }

    /// By default a credential that names a status is refused if the status is unknown.
    @Test func withoutACheckerANamedStatusIsUnknown() async throws {
        #expect(SDJWTVerificationPolicy.credential(algorithms: [.es256]).status == .whenNamed)
        for policy in [StatusPolicy.required, .whenNamed] {
            let verification = try await verification(named, policy, nil)
            verification.expectRefusal(.status, .statusUnknown)
            #expect(verification.refusal?.isUnavailable == true)
        }
        #expect(try await verification(nil, .whenNamed, nil).verified != nil)
    }

    /// The same where a key is at hand and nothing is fetched.
    @Test func offlineANamedStatusIsUnknown() async throws {
        func outcome(_ status: JSONValue?, _ statusPolicy: StatusPolicy) async throws -> CheckResult.Outcome? {
            var payload: JSONObject = ["vct": "t"]
            payload["status"] = status
            var policy = SDJWTVerificationPolicy.credential(algorithms: [.es256])
            policy.status = statusPolicy
            let verification = SDJWTVerifier.verify(
                try SDJWT(compact: await assemble(.object(payload), signer: scene.issuer)),
                issuerKey: IssuerKey(scene.issuer.publicKey),
                policy: policy,
                expecting: .noKeyBinding,
                at: scene.now
            )
            verification.expectEveryCheck()
            return verification.outcome(of: .status)?.outcome
        }
        let unknown = CheckResult.Outcome.unavailable(.statusUnknown, "the credential's status is not checked offline")
        let unnamed = CheckResult.Outcome.failed(
            .statusUnknown,
            "the credential does not say where its status is found"
        )
        #expect(try await outcome(named, .whenNamed) == unknown)
        #expect(try await outcome(named, .required) == unknown)
        #expect(try await outcome(nil, .required) == unnamed)
        #expect(try await outcome(nil, .whenNamed) == .notApplicable("the credential names no status"))
        #expect(try await outcome(named, .waived) == .waived("status"))
    }

    @Test func credentialsWithoutAStatus() async throws {
        try await verification(nil, .required).expectRefusal(.status, .statusUnknown)
        let verification = try await verification(nil, .whenNamed, SDJWTStatusChecker { _, _ in .revoked })
        #expect(verification.refusal == nil)
        #expect(verification.verified?.status == nil)
    }

    @Test(
        arguments: [
            ("x", .invalidClaim), ([:], .invalidClaim), (["status_list": ["idx": -1, "uri": "u"]], .invalidClaim),
            (["status_list": 1], .invalidClaim), (["other": ["a": 1]], .statusUnknown),
        ] as [(JSONValue, Reason)]
    )
    func statusesThatCannotBeRead(status: JSONValue, reason: Reason) async throws {
        try await verification(status, .whenNamed).expectRefusal(.status, reason)
    }

    @Test func asksForNoStatusOfARefusedCredential() async throws {
        let checker = SDJWTStatusChecker { _, _ in
            Issue.record("asked")
            return .valid(asOf: .distantPast)
        }
        try await verification(named, .required, checker, expecting: .keyBinding(scene.expectation))
            .expectRefusal(.keyBinding, .invalidHolderBinding)
    }
}
