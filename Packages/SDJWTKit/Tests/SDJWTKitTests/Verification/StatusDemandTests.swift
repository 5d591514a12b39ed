import CryptoCore
import JOSEKit
import JSONKit
import SDJWTKit
import StatusListKit
import Testing

@Suite struct StatusDemandTests {
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    private func verification(
        _ status: JSONValue?,
        _ demand: StatusDemand,
        keyBinding: KeyBindingDemand = .forbidden
    ) async throws -> Verification<VerifiedSDJWT> {
        var payload: JSONObject = ["vct": "t", "iss": "https://issuer.example"]
        payload["status"] = status
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: KnownIssuerKeys(scene.issuer.publicKey),
            status: demand
        )
        let text = try await assemble(.object(payload), signer: scene.issuer)
        return await verifier.verify(try SDJWT(compact: text), keyBinding: keyBinding)
    }

    private let named: JSONValue = ["status_list": ["idx": 3, "uri": "https://status.example/1"]]

    @Test func aValidStatus() async throws {
        let demand = StatusDemand.required { reference, credential in
            let isKnown = reference.index == 3 && reference.uri == "https://status.example/1"
            return isKnown && credential.issuer == "https://issuer.example" ? .valid : .invalid
        }
        let verification = try await verification(named, demand)
        verification.expectEveryCheck()
        #expect(verification.verified?.status == .valid)
        #expect(verification.outcome(of: .status)?.outcome == .passed)
    }

    @Test(
        arguments: [
            (.invalid, .revoked), (.suspended, .suspended), (.applicationSpecific(3), .statusUnknown),
            (.unknown(StatusListError(.malformed, "no list")), .statusUnknown),
        ] as [(StatusVerdict, Reason)]
    )
    func otherStatuses(verdict: StatusVerdict, reason: Reason) async throws {
        for demand in [StatusDemand.required { _, _ in verdict }, .whereNamed { _, _ in verdict }] {
            try await verification(named, demand).expectRefusal(.status, reason)
        }
    }

    @Test func credentialsWithoutAStatus() async throws {
        try await verification(nil, .required { _, _ in .valid }).expectRefusal(.status, .missingClaim)
        let verification = try await verification(nil, .whereNamed { _, _ in .invalid })
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
        try await verification(status, .whereNamed { _, _ in .valid }).expectRefusal(.status, reason)
    }

    @Test func nobodyIsAskedAboutACredentialThatIsRefused() async throws {
        let demand = StatusDemand.required { _, _ in
            Issue.record("asked")
            return .valid
        }
        try await verification(named, demand, keyBinding: .required(scene.expectation))
            .expectRefusal(.keyBinding, .invalidHolderBinding)
    }
}
