import CryptoCore
import JOSEKit
import JSONKit
import SDJWTKit
import Testing

/// One rule of RFC 9901, chapter 7, kept or broken.
struct RuleVector {
    private let name: String
    private let text: String
    private let value: JSONValue
    private let issuerKey: PublicKey
    private let algorithms: JWSVerificationPolicy

    init(_ value: JSONValue, of file: JSONValue) throws {
        self.value = value
        name = value["id"]?.stringValue ?? "?"
        text = try #require(value["sdJwt"]?.stringValue)
        issuerKey = try VectorKeys.publicKey(file["keys"]?["issuer"])
        let names = file["allowedAlgorithms"]?.arrayValue?.compactMap(\.stringValue) ?? []
        algorithms = JWSVerificationPolicy(algorithms: Set(names.map { JWSAlgorithm(rawValue: $0) }))
    }

    /// Runs the case; gives its name where it was refused for a reason that is not among those known here.
    func run() throws -> String? {
        let isValid = try #require(value["expected"]?.stringValue) == "valid"
        do {
            var policy = SDJWTVerificationPolicy(algorithms: algorithms)
            // The rules are those of every SD-JWT, which know no status.
            policy.status = .waived
            let verified = try verify(policy)
            #expect(isValid, "\(name) must be refused: \(value["reason"] ?? nil)")
            if let payload = value["processedPayload"] { #expect(.object(verified.claims) == payload, "\(name)") }
        } catch {
            #expect(!isValid, "\(name): \(error)")
            guard !isValid else { return nil }
            return try compareReason(with: error)
        }
        if value["sdJwtVcExpected"]?.stringValue == "rejected" {
            let refusal = #expect(throws: Refusal.self, "\(name)") {
                try verify(.credential(algorithms: algorithms))
            }
            #expect(
                refusal?.check == .openClaims
                    && refusal?.reason == .claimNotConcealable,
                "\(name)"
            )
        }
        return nil
    }

    private func verify(_ policy: SDJWTVerificationPolicy) throws -> VerifiedSDJWT {
        let sdJWT = try SDJWT(compact: text)
        var expected = SDJWTExpectation.noKeyBinding
        if let binding = value["keyBinding"] {
            let expectation = KeyBindingExpectation(
                audience: try #require(binding["aud"]?.stringValue),
                nonce: try #require(binding["nonce"]?.stringValue)
            )
            expected = value["requireKeyBinding"] == true ? .keyBinding(expectation) : .keyBindingIfPresent(expectation)
        }
        return try SDJWTVerifier.verify(
            sdJWT,
            issuerKey: IssuerKey(issuerKey),
            policy: policy,
            expecting: expected,
            at: try VectorKeys.time(of: sdJWT)
        ).get()
    }

    private func compareReason(with error: any Error) throws -> String? {
        guard let message = value["checkedMessage"]?.stringValue, let reason = RefusalReason(message) else {
            return name
        }
        switch (error, reason.meaning) {
        case (let refusal as Refusal, .refused(let reason, let check)):
            #expect(refusal.reason == reason && refusal.check == check, "\(name): \(refusal)")
        case (let error as SDJWTError, .unreadable(let code)): #expect(error.code == code, "\(name): \(error)")
        default: Issue.record("\(name): \(error)")
        }
        return nil
    }
}
