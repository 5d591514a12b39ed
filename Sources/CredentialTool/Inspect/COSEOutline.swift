import CBORKit
import COSEKit
import CryptoCore
import StatusListKit

/// Outlines of COSE structures, with the names of their labels (RFC 9052).
enum COSEOutline {
    /// A COSE key or message; messages without a tag are told by their shape where that is possible.
    static func inspection(of view: CBORView) -> Inspection? {
        if let key = try? COSEKey(cbor: view) { return Inspection(kind: "COSE_Key", content: key.outline) }
        guard let type = type(of: view), let elements = try? view.untagged().array(),
            let outline = try? outline(Array(elements))
        else { return nil }
        if let list = statusList(Array(elements), outline) { return list }
        return Inspection(kind: "\(type)\(view.tag == nil ? ", untagged" : "")", content: outline)
    }

    /// A message whose type says that its content is a status list.
    private static func statusList(_ items: [CBORView], _ message: Outline) -> Inspection? {
        guard items.count >= 3, let encoded = try? items[0].bytes(),
            let protected = try? COSEHeaderMap(cbor: CBORDocument(encoded).root),
            let type = try? protected.parameter(.type)?.text(), type == StatusListOutline.cwtType,
            let content = try? items[2].bytes(), let claims = try? CWTClaims(decoding: content)
        else { return nil }
        let list = StatusListOutline.outline(cbor: (try? claims.view(.claimStatusList)).flatMap(\.self))
        return Inspection(
            kind: "Status List Token, CWT",
            content: .fields(["message": message, "status list": list])
        )
    }

    private static func type(of view: CBORView) -> COSEMessageType? {
        if let tag = view.tag { return COSEMessageType(tag: tag) }
        guard let message = try? COSESign1(cbor: view) else { return nil }
        // COSE_Mac0 has the same shape: only the algorithm tells them apart.
        guard let algorithm = try? message.headers.algorithm() else { return .sign1 }
        return macs.contains(algorithm) ? .mac0 : .sign1
    }

    private static let macs: Set<COSEAlgorithm> = [
        .hmac256_64, .hmac256_256, .hmac384_384, .hmac512_512, .aesMAC128_64, .aesMAC256_64, .aesMAC128_128,
        .aesMAC256_128,
    ]

    private static func outline(_ items: [CBORView]) throws -> Outline {
        guard items.count >= 3 else { throw ToolError("a COSE message has at least three elements") }
        let encodedProtected = try items[0].bytes()
        let protected =
            encodedProtected.isEmpty ? COSEHeaderMap() : try COSEHeaderMap(cbor: CBORDocument(encodedProtected).root)
        let headers = COSEHeaders(protected: protected, unprotected: try COSEHeaderMap(cbor: items[1]))
        return .fields(
            [
                (name: "protected", value: outline(headers.protected)),
                (name: "unprotected", value: outline(headers.unprotected)),
                (name: "content", value: content(items[2])),
            ]
                + items.dropFirst(3).map { item in
                    (
                        name: item.kind == .array ? "signatures or recipients" : "authenticator",
                        value: Inspection.notation(item)
                    )
                }
        )
    }

    private static func content(_ view: CBORView) -> Outline {
        guard let bytes = try? view.bytes() else { return view.isNull ? "detached" : Inspection.notation(view) }
        guard let embedded = try? CBORDocument(bytes) else { return .text(bytes.shortText) }
        return Inspection.notation(embedded.root)
    }

    /// A header bucket: labels by name, certificates decoded.
    static func outline(_ headers: COSEHeaderMap) -> Outline {
        .fields(headers.labels.map { label in (name: name(of: label), value: value(of: label, in: headers)) })
    }

    /// The name of a header parameter (IANA, COSE Header Parameters) and its number.
    private static func name(of label: COSELabel) -> String {
        names[label].map { "\($0) (\(label))" } ?? "\(label)"
    }

    private static let names: [COSELabel: String] = [
        .alg: "alg", .crit: "crit", .contentType: "content type", .kid: "kid", .iv: "IV", .partialIV: "Partial IV",
        .x5bag: "x5bag", .x5chain: "x5chain", .x5t: "x5t", .x5u: "x5u",
    ]

    private static func value(of label: COSELabel, in headers: COSEHeaderMap) -> Outline {
        if label == .alg, let algorithm = try? headers.algorithm() { return .text("\(algorithm)") }
        if label == .x5chain, let chain = try? headers.x5chain() {
            return .list(chain.map { (try? Certificate(der: $0))?.summary ?? .text($0.shortText) })
        }
        guard let view = try? headers.parameter(label) else { return "not readable" }
        return Inspection.notation(view)
    }
}

extension COSEKey {
    /// The key's parameters by name; private ones are only said to be there.
    var outline: Outline {
        .fields([
            "kty": .text("\(keyType)"),
            "public key": (try? publicKey()).map { .text($0.shortDescription) },
            "kid": keyID.map { .text($0.shortText) },
            "alg": algorithm.map { .text("\($0)") },
            "private": .flag(isSecret),
        ])
    }
}
