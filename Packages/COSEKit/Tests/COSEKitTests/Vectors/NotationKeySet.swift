import CBORKit
import COSEKit
import TestSupport

/// A file of keys in diagnostic notation: what is a COSE_Key in it.
struct NotationKeySet {
    /// The keys, by their places in the file.
    private(set) var keys: [(name: String, key: COSEKey)] = []
    /// The other entries of the file, and the reasons that they are not keys.
    private(set) var passedOver: [(name: String, reason: String)] = []

    init(_ file: VectorFile) throws {
        let text = try file.bytes()
        for (index, element) in try CBORDocument(encode(text)).root.array().enumerated() {
            let name = "key \(index)"
            do throws(COSEError) {
                keys.append((name, try COSEKey(cbor: element)))
            } catch {
                passedOver.append((name, error.description))
            }
        }
    }

    /// The bytes that the notation stands for; a single character that does not belong there is named and left out.
    private mutating func encode(_ text: [UInt8]) throws -> [UInt8] {
        do throws(CBORError) {
            return try CBORDiagnosticNotation.encode(String(decoding: text, as: UTF8.self))
        } catch {
            guard let offset = error.offset, text.indices.contains(offset) else { throw error }
            passedOver.append(("the character at byte \(offset)", error.description))
            let mended = text[..<offset] + text[(offset + 1)...]
            return try CBORDiagnosticNotation.encode(String(decoding: mended, as: UTF8.self))
        }
    }
}
