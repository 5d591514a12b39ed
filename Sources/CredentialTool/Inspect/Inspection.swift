import CBORKit
import CommandSupport
import CryptoCore
import Foundation
import JSONKit
import MdocKit
import MdocProximity
import MdocTrust

/// The recognized form of an input, and its content as an outline.
struct Inspection {
    /// The name of the structure, in its standard's words.
    let kind: String
    /// The outline of the content.
    let content: Outline
    /// The forms that the input only seemed to have, with the reasons.
    let remarks: [String]

    init(kind: String, content: Outline, remarks: [String] = []) {
        self.kind = kind
        self.content = content
        self.remarks = remarks
    }

    /// The largest number of listed items of a CBOR sequence; a longer sequence is refused.
    static let sequenceLimit = 10_000

    /// Recognizes an input by its first bytes, and reads it as that type.
    ///
    /// - Throws: ``ToolError`` for an unknown form, with the reason for each form that the input could have had.
    init(of bytes: [UInt8]) throws(ToolError) {
        var attempts = Attempts()
        if bytes.first == 0x30, let certificate = attempts.read("an X.509 certificate", { try Certificate(der: bytes) })
        {
            self.init(kind: "X.509 certificate", content: certificate.outline)
        } else if bytes.first == 0x30, let key = KeyOutline.inspection(of: bytes, &attempts) {
            self = key
        } else if let inspection = try JOSEOutline.inspection(of: bytes, &attempts) {
            self = inspection
        } else {
            self = try Self.cbor(bytes, &attempts)
        }
    }

    private static func cbor(_ bytes: [UInt8], _ attempts: inout Attempts) throws(ToolError) -> Inspection {
        do {
            let document = try CBORDocument(bytes)
            return mdoc(document, bytes, &attempts) ?? COSEOutline.inspection(of: document.root, &attempts)
                ?? Inspection(kind: "CBOR", content: notation(document.root), remarks: attempts.failures)
        } catch {
            if error.code == .trailingBytes { return try sequence(bytes) }
            let reasons = attempts.failures + ["not CBOR: \(error)"]
            throw ToolError(
                "the input is none of the forms that this command knows; \(reasons.joined(separator: "; "))"
            )
        }
    }

    private static func sequence(_ bytes: [UInt8]) throws(ToolError) -> Inspection {
        var reader = CBORSequenceReader(bytes)
        var items: [Outline] = []
        do {
            while let item = try reader.next() {
                guard items.count < sequenceLimit else {
                    throw ToolError("the CBOR sequence has more than \(sequenceLimit) items")
                }
                items.append(notation(item.root))
            }
        } catch let error as ToolError {
            throw error
        } catch {
            throw ToolError("neither CBOR nor a CBOR sequence: after \(items.count) items: \(error)")
        }
        return Inspection(kind: "CBOR sequence", content: .list(items))
    }

    /// The structures of ISO/IEC 18013-5, recognized by their mandatory members.
    private static func mdoc(
        _ document: CBORDocument,
        _ bytes: [UInt8],
        _ attempts: inout Attempts
    ) -> Inspection? {
        guard document.root.kind == .map, let map = attempts.read("a map", { try document.root.map() }) else {
            return document.root.untagged().kind == .array ? trustList(document, bytes, &attempts) : nil
        }
        func attempt(_ form: String, if isLikely: Bool, _ outline: () throws -> Outline) -> Inspection? {
            guard isLikely, let outline = attempts.read(form, outline) else { return nil }
            return Inspection(kind: "mdoc \(form)", content: outline)
        }
        return attempt("IssuerSigned", if: map.value(forKey: "issuerAuth") != nil) {
            try IssuerSigned(decoding: bytes, options: .deployed).outline(isWhole: true)
        }
            ?? attempt("DeviceRequest", if: map.value(forKey: "docRequests") != nil) {
                try DeviceRequest(decoding: bytes, options: .deployed).outline
            }
            ?? attempt(
                "DeviceResponse",
                if: map.value(forKey: "documents") != nil || map.value(forKey: "status") != nil
            ) {
                try DeviceResponse(decoding: bytes, options: .deployed).outline
            }
            ?? attempt("DeviceEngagement", if: map.value(forKey: 1)?.kind == .array) {
                try DeviceEngagement(decoding: bytes, options: .deployed).outline
            }
    }

    /// The trust lists of ISO/IEC 18013-5, recognized by the members of their payloads.
    private static func trustList(
        _ document: CBORDocument,
        _ bytes: [UInt8],
        _ attempts: inout Attempts
    ) -> Inspection? {
        guard let payload = COSEOutline.payload(of: document.root), payload.kind == .map,
            let members = attempts.read("a map", { try payload.map() })
        else { return nil }
        if members.value(forKey: "vicalProvider") != nil,
            let list = attempts.read("a VICAL", { try VICAL(decoding: bytes, options: .deployed) })
        {
            return Inspection(kind: "mdoc VICAL", content: list.outline)
        }
        if members.value(forKey: "provider") != nil,
            let list = attempts.read("a RICAL", { try RICAL(decoding: bytes, options: .deployed) })
        {
            return Inspection(kind: "mdoc RICAL", content: list.outline)
        }
        return nil
    }

    /// An item in diagnostic notation, with the content of tag 24 expanded.
    static func notation(_ view: CBORView) -> Outline {
        .block(view.diagnosticNotation(.readable))
    }

    /// A whole input in diagnostic notation, or the reason that it is not CBOR.
    static func notation(of bytes: [UInt8]) -> Outline? {
        Outline.readable { notation(try CBORDocument(bytes).root) }
    }
}

/// Attempts to read one input in several forms: the first success counts, and the reasons of earlier failures are kept.
struct Attempts {
    /// The attempted forms, with the reasons of their failures.
    private(set) var failures: [String] = []

    /// Reads a form; on failure, keeps the reason and returns nil.
    mutating func read<Value>(_ form: String, _ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch {
            failures.append("not \(form): \(error)")
            return nil
        }
    }
}

extension Outline {
    /// The outline of a value, or the reason that it cannot be read.
    static func readable(_ body: () throws -> Outline?) -> Outline? {
        do {
            return try body()
        } catch {
            return .text("not readable: \(error)")
        }
    }
}
