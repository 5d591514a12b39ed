/// The output of an encoder for one value: complete, or still open for more.
indirect enum EncodedItem {
    /// A value.
    case value(CBOR)
    /// An item that a type wrote itself.
    case encoded([UInt8])
    /// A tag and its content.
    case tagged(UInt64, EncodedItem)
    /// An array that its encoder may still add to.
    case array(ArrayNode)
    /// A map that its encoder may still add to.
    case map(MapNode)
    /// An item to be taken later from the encoder of a superclass.
    case deferred(ItemEncoder)

    /// The elements of an array.
    final class ArrayNode {
        var items: [EncodedItem] = []
    }

    /// The pairs of a map.
    final class MapNode {
        var pairs: [(key: CBOR, value: EncodedItem)] = []

        /// Appends the pairs, in the order that the options say.
        func append(to output: inout OutputBuffer, _ options: CBOREncodingOptions) {
            guard let order = options.keyOrder else {
                for (key, value) in pairs {
                    key.append(to: &output, options)
                    value.append(to: &output, options)
                }
                return
            }
            PairSorter.with(order, capacity: pairs.count) { sorter in
                for (key, value) in pairs {
                    let start = output.count
                    key.append(to: &output, options)
                    sorter.add(keyFrom: start, in: &output)
                    value.append(to: &output, options)
                }
                sorter.sort(&output)
            }
        }
    }

    /// Appends the item in the form that the options say.
    func append(to output: inout OutputBuffer, _ options: CBOREncodingOptions) {
        switch self {
        case .value(let value): value.append(to: &output, options)
        case .encoded(let bytes): unsafe bytes.withUnsafeBytes { unsafe output.append(contentsOf: $0) }
        case .tagged(let number, let content):
            output.append(6, number)
            content.append(to: &output, options)
        case .array(let node):
            output.append(4, UInt64(node.items.count))
            for item in node.items { item.append(to: &output, options) }
        case .map(let node):
            output.append(5, UInt64(node.pairs.count))
            node.append(to: &output, options)
        case .deferred(let encoder):
            // A superclass that writes nothing is an empty map.
            (encoder.item ?? .map(MapNode())).append(to: &output, options)
        }
    }
}
