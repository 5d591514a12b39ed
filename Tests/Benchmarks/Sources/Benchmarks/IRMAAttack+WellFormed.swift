import Foundation
import IRMAMessages
import IRMAServer
import IdemixCore

extension IRMAAttack {
    /// Answers whose proofs name a known key, and which their form refuses nevertheless.
    static func wellFormed() throws -> [IRMAAttack] {
        var (disclosure, signature) = (IRMAScene.disclosure, IRMAScene.signature)
        disclosure.disclose.disjunctions = Array(repeating: disclosure.disclose.disjunctions[0], count: 16)
        signature.disclose.disjunctions = disclosure.disclose.disjunctions
        let disclosing = IRMAAttack(name: "known", path: proofs, state: .connected(disclosure), authorization: "wallet")
        let signing = IRMAAttack(
            name: "known signature",
            path: proofs,
            state: .connected(signature),
            authorization: "wallet"
        )
        let (one, issuing) = (readers[0], readers[2])
        let long = try HostileProof(disclosed: "\"2\":\"\(text(60_000))\"")
        let hidden = (0..<250).map { "\"\($0)\":\"\(text(148))\"" }.joined(separator: ",")
        let longHidden = (0..<40).map { "\"\($0)\":\"\(text(1500))\"" }.joined(separator: ",")
        let range =
            "{\"Cs\":[\"\(text(600))\"],\"ds\":[\"\(text(600))\"],\"vs\":[],\"v5\":1,\"l_d\":8,\"sign\":1,\"a\":1,\"k\":1}"
        let ranges = ",\"rangeproofs\":{\"3\":[\(HostileText.repeated(range + ",", upTo: 50_000))\(range)]}"
        return [
            disclosing.with("long attributes", long.list(lastChallenge: "Ag==")),
            disclosing.with("a proof that lacks a member", long.list(last: "{\"A\":\"AQ==\"}")),
            disclosing.with("no element of the group", long.list(last: try HostileProof(A: "").text)),
            disclosing.with("many responses", try HostileProof(hidden: hidden).list()),
            disclosing.with("long responses", try HostileProof(hidden: longHidden).list()),
            disclosing.with("range proofs", try HostileProof(others: ranges).list()),
            disclosing.with("indices in another form", try HostileProof(disclosed: others(upTo: 40_000)).list()),
            one.with("a revocation proof", "{\"proofs\":[\(try HostileProof(others: nonRevocation).text)]}"),
            signing.with("another message", long.signature(message: "b")),
            signing.with("long attributes", long.signature(message: "a", last: "{\"A\":\"AQ==\"}")),
            issuing.with("a long U", commitments("{\"U\":\"\(text(60_000))\",\"c\":\"AQ==\"}")),
            issuing.with(
                "many responses",
                commitments("{\"U\":\"AQ==\",\"m_user_responses\":{\(others(upTo: 60_000))}}")
            ),
            issuing.with(
                "a long token",
                "{\"n_2\":\"AQ==\",\"combinedProofs\":[],\"proofPJwts\":{\"demo\":\"a.\(text(30_000)).c\"}}"
            ),
        ]
    }

    /// As many characters of base64, which stand for a large number.
    private static func text(_ count: Int) -> String { String(repeating: "/", count: count) }

    private static func others(upTo size: Int) -> String {
        (0..<size / 14).map { "\"0\($0)\":\"AQ==\"" }.joined(separator: ",")
    }

    private static func commitments(_ proof: String) -> String { "{\"n_2\":\"AQ==\",\"combinedProofs\":[\(proof)]}" }

    private static let nonRevocation =
        ",\"nonrev_proof\":{\"C_r\":\"\(text(2000))\",\"C_u\":\"\(text(2000))\",\"responses\":{\"beta\":1,\"delta\":1,"
        + "\"epsilon\":1,\"zeta\":1},\"sacc\":{\"data\":\"\(text(56_000))\",\"pk\":1}}"

    /// A credential with more attributes than any type has.
    static func manyAttributes(_ start: String) -> String {
        let attributes = HostileText.members(upTo: 900_000, value: "\"x\"")
        return start + "{\"credential\":\"demo.bank.card\",\"attributes\":{\(attributes)}}]}"
    }

    /// Choices of known attributes, and an unknown one at their end.
    static let manyConjunctions: String = {
        let known = String(repeating: "[\"demo.bank.card.name\"],", count: 4900)
        return "\"disclose\":[[\(known)[\"demo.bank.card.other\"]]]}"
    }()
}

/// A disclosure of the card, as JSON, which no credential stands behind.
private struct HostileProof {
    let text: String

    init(
        challenge: String = "AQ==",
        A: String = "BQ==",
        hidden: String = "\"0\":\"AQ==\",\"3\":\"AQ==\",\"4\":\"AQ==\",\"5\":\"AQ==\"",
        disclosed: String = "\"2\":\"AQ==\"",
        others: String = ""
    ) throws {
        let metadata = try MetadataAttribute(
            credentialType: IRMAScene.card.text,
            keyCounter: 1,
            signedAt: IRMAScene.now - 1e6,
            expiresAt: IRMAScene.now + 1e7
        ).integer.bytes
        text =
            "{\"c\":\"\(challenge)\",\"A\":\"\(A)\",\"e_response\":\"AQ==\",\"v_response\":\"AQ==\","
            + "\"a_responses\":{\(hidden)},\"a_disclosed\":{\"1\":\"\(Data(metadata).base64EncodedString())\",\(disclosed)}"
            + "\(others)}"
    }

    /// A list of sixteen, the last of which may be another.
    func list(last: String? = nil, lastChallenge: String? = nil) -> String {
        "{\"proofs\":\(array(last ?? lastChallenge.map { text.replacing("\"c\":\"AQ==\"", with: "\"c\":\"\($0)\"") })),"
            + "\"indices\":[]}"
    }

    /// A signed message with sixteen proofs, the last of which may be another.
    func signature(message: String, last: String? = nil) -> String {
        "{\"@context\":\"\(MessageContext.signedMessage.text)\",\"signature\":\(array(last)),\"indices\":[],"
            + "\"message\":\"\(message)\"}"
    }

    private func array(_ last: String?) -> String {
        "[\((Array(repeating: text, count: 15) + [last ?? text]).joined(separator: ","))]"
    }
}
