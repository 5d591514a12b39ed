import CBORKit

extension CBORWriter {
    /// Writes data elements as a map of maps.
    mutating func write<Value>(
        _ elements: DataElements<Value>,
        _ write: (inout CBORWriter, Value) -> Void
    ) {
        beginMap(count: elements.groups.count)
        for group in elements.groups {
            self.write(text: group.nameSpace.text)
            beginMap(count: group.elements.count)
            for element in group.elements {
                self.write(text: element.identifier.text)
                write(&self, element.value)
            }
        }
    }
}
