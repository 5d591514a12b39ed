import CBORKit
import COSEKit
import CryptoCore
import JSONKit
import MdocKit

/// What an input was recognised as, and its content as an outline.
struct Inspection {
    /// The name of the structure, in its standard's words.
    let kind: String
    /// What is in it.
    let content: Outline

    init(kind: String, content: Outline) {
        self.kind = kind
        self.content = content
    }

    /// Recognises an input.
    ///
    /// - Throws: ``ToolError`` where it is none of the known forms; it says where reading as CBOR failed.
    init(of bytes: [UInt8]) throws(ToolError) {
        if let certificate = try? Certificate(der: bytes) {
            self.init(kind: "X.509 certificate", content: certificate.outline)
        } else if let jose = JOSEOutline.inspection(of: bytes) {
            self = jose
        } else if let json = try? JSONValue(parsing: bytes) {
            self.init(
                kind: "JSON",
                content: .text(String(decoding: json.encoded(.pretty(indentation: 2)), as: UTF8.self))
            )
        } else {
            self = try Self.cbor(bytes)
        }
    }

    private static func cbor(_ bytes: [UInt8]) throws(ToolError) -> Inspection {
        do {
            let document = try CBORDocument(bytes)
            return mdoc(document, bytes) ?? COSEOutline.inspection(of: document.root)
                ?? Inspection(kind: "CBOR", content: notation(document.root))
        } catch {
            if error.code == .trailingBytes, let sequence = sequence(bytes) { return sequence }
            throw ToolError("neither an X.509 certificate nor JSON nor CBOR; as CBOR: \(error)")
        }
    }

    private static func sequence(_ bytes: [UInt8]) -> Inspection? {
        var reader = CBORSequenceReader(bytes)
        var items: [Outline] = []
        do {
            while let item = try reader.next() { items.append(notation(item.root)) }
        } catch {
            return nil
        }
        return Inspection(kind: "CBOR sequence", content: .list(items))
    }

    /// The structures of ISO/IEC 18013-5, told apart by the members that each must have.
    private static func mdoc(_ document: CBORDocument, _ bytes: [UInt8]) -> Inspection? {
        if document.root.untagged().kind == .array { return trustList(bytes) }
        guard let map = try? document.root.map() else { return nil }
        if map.value(forKey: "issuerAuth") != nil, let issuerSigned = try? IssuerSigned(decoding: bytes) {
            return Inspection(kind: "mdoc IssuerSigned", content: issuerSigned.outline)
        }
        if map.value(forKey: "docRequests") != nil, let request = try? DeviceRequest(decoding: bytes) {
            return Inspection(kind: "mdoc DeviceRequest", content: request.outline)
        }
        if map.value(forKey: "status") != nil, let response = try? DeviceResponse(decoding: bytes) {
            return Inspection(kind: "mdoc DeviceResponse", content: response.outline)
        }
        if map.value(forKey: 1)?.kind == .array, let engagement = try? DeviceEngagement(decoding: bytes) {
            return Inspection(kind: "mdoc DeviceEngagement", content: engagement.outline)
        }
        return nil
    }

    /// The trust lists of ISO/IEC 18013-5: signed like much else, and told apart by what is signed.
    private static func trustList(_ bytes: [UInt8]) -> Inspection? {
        if let list = try? VICAL(decoding: bytes) { return Inspection(kind: "mdoc VICAL", content: list.outline) }
        if let list = try? RICAL(decoding: bytes) { return Inspection(kind: "mdoc RICAL", content: list.outline) }
        return nil
    }

    /// An item in diagnostic notation, with the content of tag 24 expanded.
    static func notation(_ view: CBORView) -> Outline {
        .text(view.diagnosticNotation(.readable))
    }

    /// A whole input in diagnostic notation, or nil where it is not CBOR.
    static func notation(of bytes: [UInt8]) -> Outline? {
        (try? CBORDocument(bytes)).map { notation($0.root) }
    }
}
