extension ContiguousArray<JSONTapeItem> {
    /// The path of the value that an item stands for; its containers may still be open.
    func path(to index: Int, in text: Span<UInt8>) -> JSONPath {
        var components: [JSONPath.Component] = []
        var index = index
        while self[index].parent != JSONTapeItem.none {
            let parent = Int(self[index].parent)
            if self[parent].kind == .object {
                components.append(.name(string(at: index - 1, in: text)))
            } else {
                components.append(.index(self[index].ordinal))
            }
            index = parent
        }
        return JSONPath(components.reversed())
    }

    /// The decoded string or name at an index.
    func string(at index: Int, in text: Span<UInt8>) -> String {
        let item = self[index]
        let content = text.extracting(item.textRange)
        guard item.kind == .escapedName || item.kind == .escapedString else {
            return unsafe content.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        }
        var bytes: [UInt8] = []
        JSONEscapes.decode(content, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
