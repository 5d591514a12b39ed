/// The form in which stores keep a list of keys: each key behind its length in four bytes.
package enum SessionKeyList {
    /// The bytes of a list.
    package static func encoded(_ keys: [SessionKey]) -> [UInt8] {
        keys.flatMap { key in
            let size = UInt32(clamping: key.bytes.count)
            return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + key.bytes
        }
    }

    /// The list of some bytes.
    ///
    /// - Throws: ``SessionStoreError/Code-swift.struct/damaged`` for bytes that are no list.
    package static func decoded(_ bytes: [UInt8]) throws(SessionStoreError) -> [SessionKey] {
        var keys: [SessionKey] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= 4, size <= rest.count - 4 else {
                throw SessionStoreError(.damaged, "a malformed list of secondary keys")
            }
            keys.append(SessionKey(bytes: rest.dropFirst(4).prefix(size)))
            rest = rest.dropFirst(4 + size)
        }
        return keys
    }
}
