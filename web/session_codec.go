package web

import (
	"encoding/json"
	"fmt"
	"time"
)

// sessionCodec keeps what a session holds as JSON, which every request reads.
// scs's own way describes its types anew in each session, and takes twenty times
// as long.
type sessionCodec struct{}

type sessionText struct {
	Deadline time.Time         `json:"deadline"`
	Texts    map[string]string `json:"texts"`
	Numbers  map[string]int64  `json:"numbers"`
}

// Encode takes texts and int64s.
func (sessionCodec) Encode(deadline time.Time, values map[string]any) ([]byte, error) {
	s := sessionText{Deadline: deadline, Texts: map[string]string{}, Numbers: map[string]int64{}}
	for key, value := range values {
		switch v := value.(type) {
		case string:
			s.Texts[key] = v
		case int64:
			s.Numbers[key] = v
		default:
			return nil, fmt.Errorf("a session keeps no %T", value)
		}
	}
	return json.Marshal(s)
}

// Decode takes what Encode made. Of anything else, such as what an earlier
// version kept, nobody is known: that person logs in again.
func (sessionCodec) Decode(data []byte) (time.Time, map[string]any, error) {
	values := map[string]any{}
	var s sessionText
	if json.Unmarshal(data, &s) != nil {
		return time.Time{}, values, nil //nolint:nilerr // not an outage: whoever it was logs in again
	}
	for key, text := range s.Texts {
		values[key] = text
	}
	for key, number := range s.Numbers {
		values[key] = number
	}
	return s.Deadline, values, nil
}
