import ArgumentParser
import CommandSupport
import IdemixCore
import JSONKit

/// `credential idemix inspect`: says what an input is and shows what is public in it; verifies nothing.
struct IdemixInspectCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Recognizes keys, proofs, signatures and credentials of IRMA. Nothing is verified.",
        discussion: """
            Recognized: public and private keys in XML; in JSON proofs and lists of them, disclosures, commitments, \
            attribute-based signatures, issuers' signatures, stored credentials, witnesses and revocation updates. \
            Secrets are never printed: of a private key, a credential or a witness only what is public is shown.
            """
    )

    @Argument(help: "The file to inspect, or - for standard input.")
    var file = InputFile(argument: "-")

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let bytes = try file.read()
        let inspection = try file.reading("input") { try IdemixInspection.inspection(of: bytes) }
        return Outcome(report: .fields(["kind": .text(inspection.kind), "content": inspection.content]))
    }
}

/// Recognizes the files and messages of IRMA's cryptography.
enum IdemixInspection {
    /// Recognizes an input and outlines it.
    ///
    /// - Throws: ``ToolError`` for an unknown form, `IdemixError` for a key that no issuer can have or a message that is
    ///   malformed.
    static func inspection(of bytes: [UInt8]) throws -> Inspection {
        guard bytes.first(where: { $0 > 0x20 }) != UInt8(ascii: "<") else { return try key(bytes) }
        let json: JSONValue
        do {
            json = try JSONValue(parsing: bytes)
        } catch {
            throw ToolError("neither a key in XML nor JSON; as JSON: \(error)")
        }
        guard let inspection = try message(json) else {
            throw ToolError("the JSON is no proof, signature, credential, witness or update that this command knows")
        }
        return inspection
    }

    private static func key(_ bytes: [UInt8]) throws -> Inspection {
        if String(decoding: bytes, as: UTF8.self).contains("<IssuerPrivateKey") {
            return Inspection(kind: "Idemix issuer private key", content: try IdemixOutline.privateKey(bytes))
        }
        let key = try IdemixIssuerPublicKey(xml: bytes)
        return Inspection(kind: "Idemix issuer public key", content: IdemixOutline.outline(key))
    }

    /// Recognizes a message or a list of them; nil for other JSON.
    static func message(_ json: JSONValue) throws -> Inspection? {
        if let members = json.arrayValue { return try list(members) }
        guard let object = json.objectValue else { return nil }
        func has(_ names: String...) -> Bool { names.allSatisfy { object[$0].map { !$0.isNull } ?? false } }
        if has("c"), has("A") || has("U") {
            let proof = try IdemixProofOutline(IdemixProof(json: json))
            return Inspection(kind: proof.kind, content: proof.outline)
        }
        if has("combinedProofs") {
            return Inspection(kind: "IRMA issuance commitments", content: try IdemixMessages.commitments(json))
        }
        if has("proofs") { return Inspection(kind: "IRMA disclosure", content: try IdemixMessages.disclosure(json)) }
        if has("signature", "message") || has("signature", "@context") {
            return Inspection(kind: "IRMA attribute-based signature", content: try IdemixMessages.signature(json))
        }
        if has("signature", "proof") {
            return Inspection(kind: "Idemix issuer's signature", content: try IdemixMessages.issued(json))
        }
        if has("signature", "attributes") {
            return Inspection(kind: "Idemix credential", content: try IdemixMessages.credential(json))
        }
        if has("u", "e", "sacc") {
            return Inspection(kind: "Idemix revocation witness", content: try IdemixMessages.witness(json))
        }
        if has("sacc") {
            return Inspection(kind: "Idemix revocation update", content: try IdemixMessages.update(json))
        }
        return nil
    }

    private static func list(_ members: [JSONValue]) throws -> Inspection? {
        let inspections = try members.map(message)
        guard !members.isEmpty, inspections.allSatisfy({ $0 != nil }) else { return nil }
        return Inspection(
            kind: "list of \(members.count)",
            content: .list(
                inspections.compactMap { $0 }.map { .fields(["kind": .text($0.kind), "content": $0.content]) }
            )
        )
    }
}
