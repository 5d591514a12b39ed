import CommandSupport
import Foundation
import IdemixCore
import JSONKit

/// Outlines of IRMA's messages in JSON; secrets in them are only counted.
enum IdemixMessages {
    /// A holder's message for the issuance of credentials.
    static func commitments(_ json: JSONValue) throws -> Outline {
        .fields([
            "proofs": try proofs(json["combinedProofs"]),
            "n_2": .text("\(try integer(json, "n_2").bitCount) bits"),
        ])
    }

    /// A holder's message for a disclosure.
    static func disclosure(_ json: JSONValue) throws -> Outline {
        .fields(["proofs": try proofs(json["proofs"])])
    }

    /// A message signed with attributes (issig).
    static func signature(_ json: JSONValue) throws -> Outline {
        let timestamp = json["timestamp"]
        let time = try timestamp?["Time"]?.numberValue?.integer(as: Int64.self)
        return .fields([
            "message": json["message"]?.stringValue.map { .verbatim($0) },
            "nonce": .text("\(try integer(json, "nonce").bitCount) bits"),
            "timestamp": time.map { Outline.text(Date(timeIntervalSince1970: Double($0)).utcText) } ?? "none",
            "timestamp server": timestamp?["ServerUrl"]?.stringValue.map { .verbatim($0) },
            "proofs": try proofs(json["signature"]),
        ])
    }

    /// An issuer's message: the signature with the proof about it.
    static func issued(_ json: JSONValue) throws -> Outline {
        let issued = try IssuedCLSignature(json: json)
        return .fields([
            "signature": outline(issued.signature),
            "random-blind": .text(IdemixProofOutline.indices(issued.issuerShares)),
            "witness": try issued.witness.map { try IdemixOutline.outline($0.signedAccumulator) },
        ])
    }

    /// A credential as a wallet stores it; the first integer is the secret key.
    static func credential(_ json: JSONValue) throws -> Outline {
        guard let members = json["attributes"]?.arrayValue else { throw ToolError("attributes is no array") }
        let integers = try members.enumerated().map { index, member in
            try reading("attributes[\(index)]") { () throws(IdemixError) in try BigInteger(json: member) }
        }
        let metadata = IdemixOutline.Metadata(integers.dropFirst().first)
        let attributes = integers.enumerated().dropFirst(2).map { index, integer in
            (name: "\(index)", value: IdemixOutline.attribute(integer, metadata.encoding))
        }
        let witness = try json["nonrevWitness"].flatMap { $0.isNull ? Optional.none : try ReceivedWitness(json: $0) }
        return .fields([
            "signature": outline(try CLSignature(json: json["signature"] ?? .null)),
            "secret key": "not shown",
            "metadata": metadata.outline ?? "missing",
            "attributes": .fields(attributes),
            "witness": try witness.map { try IdemixOutline.outline($0.signedAccumulator) },
        ])
    }

    /// The witness of a credential that is not revoked; its numbers are the holder's secret.
    static func witness(_ json: JSONValue) throws -> Outline {
        let witness = try ReceivedWitness(json: json)
        return .fields(["u and e": "not shown", "accumulator": try IdemixOutline.outline(witness.signedAccumulator)])
    }

    /// A revocation authority's publication.
    static func update(_ json: JSONValue) throws -> Outline {
        let update = try RevocationUpdate(json: json)
        return .fields([
            "accumulator": try IdemixOutline.outline(update.signedAccumulator),
            "events": .number(update.events?.count ?? 0),
            "first event": update.events.map { .text("\($0.firstIndex)") },
        ])
    }

    private static func outline(_ signature: CLSignature) -> Outline {
        .fields([
            "A": .text("\(signature.A.bitCount) bits"),
            "e": .text("\(signature.e.bitCount) bits"),
            "v": .text("\(signature.v.bitCount) bits"),
            "keyshare": .flag(signature.keyshareP != nil),
        ])
    }

    private static func proofs(_ json: JSONValue?) throws -> Outline {
        guard let json else { throw ToolError("the proofs are no array") }
        return .list(
            try IdemixProofList(json: json).proofs.map { proof in
                let outline = try IdemixProofOutline(proof)
                return .fields(["kind": .text(outline.kind), "content": outline.outline])
            }
        )
    }

    private static func integer(_ json: JSONValue, _ name: String) throws -> BigInteger {
        try reading(name) { () throws(IdemixError) in try BigInteger(json: json[name] ?? .null) }
    }

    /// Reads a member, whose name an error tells.
    private static func reading<Value>(
        _ name: String,
        _ read: () throws(IdemixError) -> Value
    ) throws(IdemixError) -> Value {
        do throws(IdemixError) { return try read() } catch { throw error.inside(name) }
    }
}
