import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit
import TestSupport
import Testing

/// An example of the drafts: claims with marks, what is disclosed, and what must come out, both of the SD-JWTs that others made
/// and of those that are made here from the same settings.
struct DraftTestcase {
    private let name: String
    private let value: JSONValue
    private let specification: JSONValue
    private let contents: JSONObject
    private let issuer: SoftwareSigner
    private let holder: SoftwareSigner

    init(_ value: JSONValue) throws {
        self.value = value
        name = value["id"]?.stringValue ?? "?"
        specification = try #require(value["specification"])
        contents = try #require(value["expected"]?["verifiedContents"]?.objectValue)
        issuer = try SoftwareSigner(JWK(json: try #require(value["issuerKeys"]?[0])).privateKey())
        holder = try SoftwareSigner(JWK(json: try #require(value["holderKey"])).privateKey())
    }

    func run() throws {
        let issued = try read(try #require(value["expected"]?["sdJwtIssuance"]?.stringValue))
        let payload = try JSONValue(parsing: try #require(issued.issuerSignedJWT.unverifiedPayload))
        #expect(payload == value["expected"]?["sdJwtPayload"], "\(name)")
        #expect(verify(issued, .noKeyBinding).refusal == nil, "\(name)")
        let presented = try read(try #require(value["expected"]?["sdJwtPresentation"]?.stringValue))
        #expect(try verify(presented, try expected(presented)).get().claims == contents, "\(name)")
        try compare(issued, presented)
        try rebuild()
    }

    private var isBound: Bool { specification["keyBinding"] == true }

    private func read(_ text: String) throws -> SDJWT {
        specification["serializationFormat"] == "json" ? try SDJWT(json: text) : try SDJWT(compact: text)
    }

    private func expected(_ sdJWT: SDJWT) throws -> SDJWTExpectation {
        guard isBound else { return .noKeyBinding }
        return .keyBinding(
            KeyBindingExpectation(
                audience: try #require(value["settings"]?["verifier"]?.stringValue),
                nonce: try #require(value["settings"]?["nonce"]?.stringValue)
            )
        )
    }

    private func verify(_ sdJWT: SDJWT, _ expected: SDJWTExpectation) -> Verification<VerifiedSDJWT> {
        let time = (try? VectorKeys.time(of: sdJWT)) ?? .init(timeIntervalSince1970: 1_683_000_000)
        return SDJWTVerifier.verify(
            sdJWT,
            issuerKey: IssuerKey(issuer.publicKey),
            policy: SDJWTVerificationPolicy(algorithms: [.es256]),
            expecting: expected,
            at: time
        )
    }

    /// The Disclosures that were chosen by others must be those that are chosen here.
    private func compare(_ issued: SDJWT, _ presented: SDJWT) throws {
        let kept = try issued.presentation { presented.disclosures.contains($0) }
        #expect(Set(kept.disclosures) == Set(presented.disclosures), "\(name)")
        #expect(try kept.unverifiedPayload().claims == contents, "\(name)")
    }

    /// Issues the same claims with the same marks, and presents the same choice.
    private func rebuild() throws {
        var marked = MarkedClaims()
        let userClaims = try #require(specification["userClaims"])
        let claims = try #require(marked.read(userClaims, at: []).objectValue)
        var all = claims
        for name in ["iss", "iat", "exp"] where all[name] == nil {
            all[name] = value["expected"]?["sdJwtPayload"]?[name]
        }
        var builder = SDJWTBuilder(type: specification["extraHeaderParameters"]?["typ"]?.stringValue, claims: all)
        for path in marked.paths { try builder.conceal(path) }
        if isBound { builder.holderKey = try JWK(holder.publicKey) }
        let unsigned = try builder.prepare(header: ["alg": "ES256"], using: .system)
        #expect(unsigned.disclosures.count == marked.paths.count, "\(name)")
        let issued = try unsigned.completed(with: try issuer.signature(for: unsigned.bytesToSign))
        let presented = try read(try #require(value["expected"]?["sdJwtPresentation"]?.stringValue))
        let chosen = Set(presented.disclosures.map(\.key))
        let names = Set(presented.disclosures.filter { $0.value.kind == .object }.map(\.claimName))
        let presentation = try issued.presentation { disclosure in
            // The digests inside an object are other ones here.
            chosen.contains(disclosure.key)
                || (disclosure.value.kind == .object && names.contains(disclosure.claimName))
        }
        #expect(verify(presentation, .noKeyBinding).refusal == nil, "\(name)")
        #expect(try issued.unverifiedPayload().claims.contains("_sd") == false, "\(name)")
    }
}

extension SDJWTDisclosure {
    fileprivate struct Key: Hashable {
        let name: String?
        let value: JSONValue
    }

    /// The disclosed claim, without the salt.
    fileprivate var key: Key { Key(name: claimName, value: value) }
}
