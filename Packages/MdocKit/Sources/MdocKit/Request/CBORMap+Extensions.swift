import CBORKit
import VerificationCore

/// Members of a request that the standard leaves to applications: `* tstr => Ext` (ISO/IEC 18013-5 second edition, 8.3).
extension CBORMap {
    /// The members of a received map whose names are not the standard's.
    init(extensionsOf map: CBORMapView, besides names: Set<String>) {
        self.init()
        for (key, value) in map {
            guard let name = try? key.text(), !names.contains(where: { $0.hasSameBytes(as: name) }) else { continue }
            append(.text(name), value.value())
        }
    }

    /// Refuses keys that are no names, that occur twice, or that the standard defines.
    func requireExtensions(besides names: Set<String>, path: [String]) throws(MdocError) {
        var seen: Set<CBOR> = []
        for pair in self {
            guard case .text(let name) = pair.key, !names.contains(where: { $0.hasSameBytes(as: name) }),
                seen.insert(pair.key).inserted
            else {
                let key = pair.key.diagnosticNotation()
                throw MdocError(.invalidValue, "\(key) cannot be the name of one extension", path: path)
            }
        }
    }
}

extension CBORWriter {
    /// Writes the members of a map that are extensions, without the map's head.
    mutating func write(extensions: CBORMap) {
        for pair in extensions {
            write(pair.key)
            write(pair.value)
        }
    }
}
