// Collections of the standard library, decoded without its containers.

/// The keys of the standard library's dictionaries claim to be integers where the text looks like one.
extension Dictionary: SessionDecodable where Key == String, Value: Decodable {
    init(decoding decoder: ItemDecoder) throws {
        let view = try decoder.content(of: 5, as: Self.self)
        self.init()
        for (key, value) in CBORMapView(view: view) {
            let text: String
            do throws(CBORError) {
                text = try key.text()
            } catch {
                throw DecodingError(error, for: Self.self)
            }
            let decoded = try ItemDecoder(view: value, session: decoder.session).decode(Value.self)
            guard let first = updateValue(decoded, forKey: text) else { continue }
            guard let index = index(forKey: text), self[index].key.utf8.elementsEqual(text.utf8) else {
                let message = "a dictionary cannot hold the key beside a canonically equivalent one"
                throw DecodingError(CBORError(.duplicateKey, message, at: key), for: Self.self)
            }
            // Of equal keys, where they are allowed, the first one counts.
            self[text] = first
        }
    }
}

extension Array: SessionDecodable where Element: Decodable {
    init(decoding decoder: ItemDecoder) throws {
        let view = try decoder.content(of: 4, as: Self.self)
        if let scalars = view.scalars(Element.self) {
            self = scalars
            return
        }
        let elements = CBORArrayView(view: view)
        self.init()
        reserveCapacity(elements.count)
        for element in elements {
            append(try ItemDecoder(view: element, session: decoder.session).decode(Element.self))
        }
    }
}

extension CBORView {
    /// The elements of an array of the usual scalars, or nil for other types and where an element is of another kind.
    fileprivate func scalars<Element>(_ type: Element.Type) -> [Element]? {
        if type == String.self { return elements(type) { $0.text($1) } }
        if type == Int.self { return elements(type) { $0.integer($1) as Int? } }
        if type == Double.self { return elements(type) { $0.double($1) } }
        if type == Bool.self { return elements(type) { $0.bool($1) } }
        return nil
    }

    private func elements<Element, Scalar>(
        _ type: Element.Type,
        _ read: (TapeContents, Int) -> Scalar?
    ) -> [Element]? {
        let scalars: [Scalar]? = tape.read { contents in
            var scalars: [Scalar] = []
            scalars.reserveCapacity(Int(truncatingIfNeeded: contents.head(of: entry).argument))
            for child in contents.children(of: entry) {
                guard let scalar = read(contents, child) else { return nil }
                scalars.append(scalar)
            }
            return scalars
        }
        // The same type twice, as the caller has found.
        return unsafe unsafeBitCast(scalars, to: [Element]?.self)
    }
}
