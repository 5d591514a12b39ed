import CBORKit
import Foundation
import IdemixCore
import JSONKit

/// Outlines of IRMA's messages in JSON; what is secret in them is counted at most.
enum IdemixMessages {
    /// A holder's message for the issuance of credentials.
    static func commitments(_ json: JSONValue) throws -> Outline {
        .fields([
            "proofs": try proofs(json["combinedProofs"]),
            "n_2": .text("\(try IdemixProof.integer(json, "n_2").bitCount) bits"),
        ])
    }

    /// A holder's message for a disclosure.
    static func disclosure(_ json: JSONValue) throws -> Outline {
        .fields(["proofs": try proofs(json["proofs"])])
    }

    /// A message signed with attributes (issig).
    static func signature(_ json: JSONValue) throws -> Outline {
        let timestamp = IdemixProof.present(json["timestamp"])
        let time = try timestamp?["Time"]?.numberValue?.integer(as: Int64.self)
        return .fields([
            "message": json["message"]?.stringValue.map { .verbatim($0) },
            "nonce": .text("\(try IdemixProof.integer(json, "nonce").bitCount) bits"),
            "timestamp": time.map { Outline.text(Date(timeIntervalSince1970: Double($0)).utcText) } ?? "none",
            "timestamp server": timestamp?["ServerUrl"]?.stringValue.map { .verbatim($0) },
            "proofs": try proofs(json["signature"]),
        ])
    }

    /// An issuer's message: the signature with the proof about it.
    static func issued(_ json: JSONValue) throws -> Outline {
        let shares = try IdemixProof.integers(json, "m_issuer")
        return .fields([
            "signature": try signatureNumbers(json["signature"]),
            "random-blind": .text(IdemixProof.indices(shares)),
            "witness": try IdemixProof.present(json["nonrev"]).map { try accumulator($0["sacc"]) },
        ])
    }

    /// A credential as a wallet stores it; the first integer is the secret key.
    static func credential(_ json: JSONValue) throws -> Outline {
        guard let members = json["attributes"]?.arrayValue else { throw ToolError("attributes is no array") }
        let integers = try members.enumerated().map { index, member in
            guard let integer = IdemixProof.integer(member) else {
                throw ToolError("attributes[\(index)] is no integer in base64")
            }
            return integer
        }
        let metadata = IdemixOutline.Metadata(integers.dropFirst().first)
        let attributes = integers.enumerated().dropFirst(2).map { index, integer in
            (name: "\(index)", value: IdemixOutline.attribute(integer, metadata.encoding))
        }
        let witness = IdemixProof.present(json["nonrevWitness"])
        return .fields([
            "signature": try signatureNumbers(json["signature"]),
            "secret key": "not shown",
            "metadata": metadata.outline ?? "missing",
            "attributes": .fields(attributes),
            "witness": try witness.map { try accumulator($0["sacc"]) },
        ])
    }

    /// The witness of a credential that is not revoked; its numbers are the holder's secret.
    static func witness(_ json: JSONValue) throws -> Outline {
        .fields(["u and e": "not shown", "accumulator": try accumulator(json["sacc"])])
    }

    /// A revocation authority's publication.
    static func update(_ json: JSONValue) throws -> Outline {
        let events = IdemixProof.present(json["e"])
        let primes = events?["e"]?.arrayValue ?? []
        return .fields([
            "accumulator": try accumulator(json["sacc"]),
            "events": .number(primes.count),
            "first event": events?["i"]?.numberValue.map { .text($0.text) },
        ])
    }

    /// The content of a signed accumulator, not verified.
    static func accumulator(_ json: JSONValue?) throws -> Outline {
        guard let text = json?["data"]?.stringValue, let data = Data(base64Encoded: text) else {
            throw ToolError("sacc has no data in base64")
        }
        do {
            let message = try CBORDocument([UInt8](data)).root.map().required("Msg").bytes()
            let map = try CBORDocument(message).root.map()
            let time: Int64 = try map.required("Time").integer()
            let index: UInt64 = try map.required("Index").integer()
            return .fields([
                "index": .text("\(index)"),
                "signed at": .text(Date(timeIntervalSince1970: Double(time)).utcText),
                "key counter": json?["pk"]?.numberValue.map { .text($0.text) },
            ])
        } catch {
            throw ToolError("the signed accumulator is malformed: \(error)")
        }
    }

    private static func signatureNumbers(_ json: JSONValue?) throws -> Outline {
        guard let json else { throw ToolError("the signature is missing") }
        return .fields([
            "A": .text("\(try IdemixProof.integer(json, "A").bitCount) bits"),
            "e": .text("\(try IdemixProof.integer(json, "e").bitCount) bits"),
            "v": .text("\(try IdemixProof.integer(json, "v").bitCount) bits"),
            "keyshare": .flag(json["KeyshareP"].map { !$0.isNull } ?? false),
        ])
    }

    private static func proofs(_ json: JSONValue?) throws -> Outline {
        guard let members = json?.arrayValue else { throw ToolError("the proofs are no array") }
        return .list(
            try members.enumerated().map { position, member in
                guard let proof = try IdemixProof(member) else { throw ToolError("member \(position) is no proof") }
                return .fields(["kind": .text(proof.kind), "content": proof.outline])
            }
        )
    }
}
