import CBORKit
import COSEKit
import CommandSupport
import CryptoCore
import JSONKit
import StatusListKit

/// Outlines of COSE structures, with the names of their labels (RFC 9052).
enum COSEOutline {
    /// A COSE key or message; an untagged message is recognized by its shape if possible.
    static func inspection(of view: CBORView, _ attempts: inout Attempts) -> Inspection? {
        switch view.untagged().kind {
        case .map:
            return attempts.read("a COSE_Key") {
                Inspection(kind: "COSE_Key", content: try COSEKey(cbor: view).outline)
            }
        case .array:
            guard let type = type(of: view, &attempts),
                let message = attempts.read("a \(type)", { try Message(Array(view.untagged().array())) })
            else { return nil }
            if let list = message.statusList(&attempts) { return list }
            return Inspection(
                kind: "\(type)\(view.tag == nil ? ", untagged" : "")",
                content: message.outline,
                remarks: attempts.failures
            )
        default: return nil
        }
    }

    /// The CBOR that a message carries as its payload, or nil.
    static func payload(of view: CBORView) -> CBORView? {
        var attempts = Attempts()
        return attempts.read("a message") {
            let items = Array(try view.untagged().array())
            guard items.count > 2, items[2].kind == .byteString else { return Optional<CBORView>.none }
            return try CBORDocument(items[2].bytes()).root
        }.flatMap(\.self)
    }

    private static func type(of view: CBORView, _ attempts: inout Attempts) -> COSEMessageType? {
        if let tag = view.tag { return COSEMessageType(tag: tag) }
        // COSE_Mac0 has the same shape: only the algorithm tells them apart.
        let algorithm = attempts.read("a COSE_Sign1") { try COSESign1(cbor: view).headers.algorithm() }
        return algorithm.map { algorithm in algorithm.map(macs.contains) ?? false ? .mac0 : .sign1 }
    }

    private static let macs: Set<COSEAlgorithm> = [
        .hmac256_64, .hmac256_256, .hmac384_384, .hmac512_512, .aesMAC128_64, .aesMAC256_64, .aesMAC128_128,
        .aesMAC256_128,
    ]

    /// The common part of all messages: two header buckets and a content.
    private struct Message {
        let items: [CBORView]
        let protected: COSEHeaderMap
        let unprotected: COSEHeaderMap

        init(_ items: [CBORView]) throws {
            guard items.count >= 3 else { throw ToolError("a COSE message has at least three elements") }
            self.items = items
            let encoded = try items[0].bytes()
            protected = encoded.isEmpty ? COSEHeaderMap() : try COSEHeaderMap(cbor: CBORDocument(encoded).root)
            unprotected = try COSEHeaderMap(cbor: items[1])
        }

        var outline: Outline {
            .labeled(
                [
                    (name: "protected", value: COSEOutline.outline(protected)),
                    (name: "unprotected", value: COSEOutline.outline(unprotected)),
                    (name: "content", value: content),
                ]
                    + items.dropFirst(3).map { item in
                        (
                            name: item.kind == .array ? "signatures or recipients" : "authenticator",
                            value: Inspection.notation(item)
                        )
                    }
            )
        }

        /// The content as CBOR if it is CBOR, else its bytes.
        private var content: Outline {
            guard items[2].kind == .byteString else {
                return items[2].isNull ? "detached" : Inspection.notation(items[2])
            }
            do {
                let bytes = try items[2].bytes()
                var attempts = Attempts()
                let embedded = attempts.read("CBOR") { try CBORDocument(bytes).root }
                return embedded.map(Inspection.notation) ?? .text(bytes.shortText)
            } catch {
                return .text("not readable: \(error)")
            }
        }

        /// The status list, if the type says that the content is one.
        func statusList(_ attempts: inout Attempts) -> Inspection? {
            let isList = attempts.read("typed") {
                guard let type = try protected.parameter(.type), type.kind == .textString else { return false }
                return try type.text() == StatusListOutline.cwtType
            }
            guard isList == true else { return nil }
            let list = Outline.readable {
                let claims = try CWTClaims(decoding: try items[2].bytes())
                return StatusListOutline.outline(cbor: try claims.view(.claimStatusList))
            }
            return Inspection(
                kind: "Status List Token, CWT",
                content: .fields(["message": outline, "status list": list])
            )
        }
    }

    /// A header bucket: labels by name, certificates decoded.
    static func outline(_ headers: COSEHeaderMap) -> Outline {
        let members = headers.labels.map { label in (label: label, value: value(of: label, in: headers)) }
        return .forms(
            people: .fields(members.map { (name: name(of: $0.label), value: $0.value) }),
            machines: .object(JSONObject(members.map { (names[$0.label] ?? "\($0.label)", $0.value.jsonValue) }))
        )
    }

    /// The name of a header parameter (IANA, COSE Header Parameters) and its number.
    private static func name(of label: COSELabel) -> String {
        names[label].map { "\($0) (\(label))" } ?? "\(label)"
    }

    private static let names: [COSELabel: String] = [
        .alg: "alg", .crit: "crit", .contentType: "contentType", .kid: "kid", .iv: "IV", .partialIV: "partialIV",
        .x5bag: "x5bag", .x5chain: "x5chain", .x5t: "x5t", .x5u: "x5u",
    ]

    private static func value(of label: COSELabel, in headers: COSEHeaderMap) -> Outline {
        Outline.readable {
            switch label {
            case .alg: try headers.algorithm().map { .text("\($0)") }
            case .x5chain:
                .list(
                    try headers.x5chain(allowingArrayOfOne: true).map { der in
                        Outline.readable { try Certificate(der: der).summary } ?? "none"
                    }
                )
            default: try headers.parameter(label).map(Inspection.notation)
            }
        } ?? "none"
    }
}

extension COSEKey {
    /// The key's parameters by name; private ones are only said to be there.
    var outline: Outline {
        .fields([
            "kty": .text("\(keyType)"),
            "public key": Outline.readable { .text(try publicKey().shortDescription) },
            "kid": keyID.map { .text($0.shortText) },
            "alg": algorithm.map { .text("\($0)") },
            "private": .flag(isSecret),
        ])
    }
}
