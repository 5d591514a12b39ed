extension CBOR {
    /// Appends the value in a form that is not the preferred one; a form that does not fit is skipped.
    func append(to output: inout OutputBuffer, in form: CBORForm, _ options: CBOREncodingOptions) {
        switch (form, self) {
        case (.width(let width), _): append(to: &output, width: width, options)
        case (.indefinite, .array(let elements)):
            output.append(0x9f)
            for element in elements { element.append(to: &output, options) }
            output.append(TapeEntry.breakByte)
        case (.indefinite, .map(let map)):
            output.append(0xbf)
            map.append(to: &output, options)
            output.append(TapeEntry.breakByte)
        case (.chunks(let chunks), .bytes(let bytes)) where form.fits(self):
            output.append(0x5f)
            Self.append(bytes, in: chunks, major: 2, to: &output)
        case (.chunks(let chunks), .text(let text)) where form.fits(self):
            output.append(0x7f)
            Self.append(Array(text.utf8), in: chunks, major: 3, to: &output)
        default: append(to: &output, options)
        }
    }

    private func append(to output: inout OutputBuffer, width: CBORWidth, _ options: CBOREncodingOptions) {
        guard let argument = headArgument, width.holds(argument) else {
            return append(to: &output, options)
        }
        output.append(majorType, argument, width: width)
        switch self {
        case .bytes(let bytes): unsafe bytes.withUnsafeBytes { unsafe output.append(contentsOf: $0) }
        case .text(let text): for byte in text.utf8 { output.append(byte) }
        case .array(let elements): for element in elements { element.append(to: &output, options) }
        case .map(let map): map.append(to: &output, options)
        case .tagged(_, let content): content.append(to: &output, options)
        case .unsigned, .negative, .simple, .float, .formed: break
        }
    }

    /// The argument of the head, for items whose head has a width to choose.
    fileprivate var headArgument: UInt64? {
        switch self {
        case .unsigned(let argument), .negative(let argument), .tagged(let argument, _): argument
        case .bytes(let bytes): UInt64(bytes.count)
        case .text(let text): UInt64(text.utf8.count)
        case .array(let elements): UInt64(elements.count)
        case .map(let map): UInt64(map.count)
        case .simple, .float, .formed: nil
        }
    }

    private static func append(
        _ content: [UInt8],
        in chunks: [CBORForm.Chunk],
        major: UInt8,
        to output: inout OutputBuffer
    ) {
        var rest = content[...]
        for chunk in chunks {
            let argument = UInt64(chunk.count)
            if let width = chunk.width {
                output.append(major, argument, width: width)
            } else {
                output.append(major, argument)
            }
            unsafe rest.prefix(chunk.count).withUnsafeBytes { unsafe output.append(contentsOf: $0) }
            rest = rest.dropFirst(chunk.count)
        }
        output.append(TapeEntry.breakByte)
    }
}

extension CBORForm {
    /// Returns `true` if a value can be written in the form.
    func fits(_ value: CBOR) -> Bool {
        switch (self, value) {
        case (.width(let width), _): value.headArgument.map(width.holds) ?? false
        case (.indefinite, .array), (.indefinite, .map): true
        case (.chunks(let chunks), .bytes(let bytes)): chunks.fit(bytes)
        case (.chunks(let chunks), .text(let text)): chunks.fit(text)
        default: false
        }
    }
}

extension CBORWidth {
    /// Returns `true` if a head of this width can hold an argument.
    fileprivate func holds(_ argument: UInt64) -> Bool {
        CBORWidth(shortestFor: argument)?.rawValue ?? 0 <= rawValue
    }
}

extension [CBORForm.Chunk] {
    /// Returns `true` if the chunks add up to a byte string, each in a head that can hold its length.
    fileprivate func fit(_ bytes: [UInt8]) -> Bool {
        var rest = bytes.count
        for chunk in self {
            guard (0...rest).contains(chunk.count), chunk.width?.holds(UInt64(chunk.count)) != false else {
                return false
            }
            rest -= chunk.count
        }
        return rest == 0
    }

    /// Returns `true` if the chunks add up to a text, and none ends within a character's bytes (RFC 8949 section
    /// 3.2.3).
    fileprivate func fit(_ text: String) -> Bool {
        let utf8 = [UInt8](text.utf8)
        guard fit(utf8) else { return false }
        var end = 0
        return allSatisfy { chunk in
            end += chunk.count
            return end == utf8.count || utf8[end] & 0xc0 != 0x80
        }
    }
}
