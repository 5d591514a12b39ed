/// Unicode normalization form C (UAX #15), by what the standard library knows of Unicode.
enum UnicodeNormalization {
    /// Returns `true` if a text is in form C.
    ///
    /// It is, if no scalar is excluded from that form, marks are in canonical order, and no two scalars that would meet
    /// have a composite.
    static func isFormC(_ text: String) -> Bool {
        var starter: Unicode.Scalar?
        var previousClass: UInt8 = 0
        for scalar in text.unicodeScalars {
            let properties = scalar.properties
            let combiningClass = properties.canonicalCombiningClass.rawValue
            guard !properties.isFullCompositionExclusion else { return false }
            guard combiningClass == 0 || previousClass <= combiningClass else { return false }
            // A mark of the same class in between, or a starter after a mark, blocks the composition.
            let isAdjacent = previousClass == 0 || previousClass < combiningClass
            if let starter, isAdjacent, composes(starter, scalar) { return false }
            if combiningClass == 0 { starter = scalar }
            previousClass = combiningClass
        }
        return true
    }

    private static func composes(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        guard first.value >= 0x3c, second.value >= 0x300 else { return false }
        var pair = String.UnicodeScalarView()
        pair.append(first)
        pair.append(second)
        return composites.contains(String(pair))
    }

    /// All composites: one scalar each, which as strings equal their parts, since strings compare by canonical
    /// equivalence.
    private static let composites: Set<String> = {
        let blocks: [ClosedRange<UInt32>] = [
            0xc0...0x1fff, 0x2190...0x22ff, 0x3040...0x30ff, 0xac00...0xd7a3, 0x1_1000...0x1_6fff,
        ]
        let scalars = blocks.joined().lazy.compactMap(Unicode.Scalar.init).filter {
            !$0.properties.isFullCompositionExclusion && $0.properties.canonicalCombiningClass == .notReordered
        }
        return Set(scalars.map { String($0) })
    }()
}
